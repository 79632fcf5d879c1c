package org.fastpath.metrics.hadoop;

import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a program that is no daemon of HBase or HDFS wants to show our metrics. */
final class ClientMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(ClientMetrics.class);

  /**
   * {@code true} or {@code false}; a system property of the same name goes before core-site.xml.
   */
  static final String KEY = "dfs.fastpath.metrics.client";

  private ClientMetrics() {}

  static boolean wanted() {
    String value = System.getProperty(KEY);
    return parse(value == null ? new Configuration().get(KEY, "false") : value);
  }

  /** A wrong value is an error in the log: somebody's program does not end because of metrics. */
  static boolean parse(String value) {
    String trimmed = value.trim();
    if (!trimmed.equals("true") && !trimmed.equals("false")) {
      LOG.error("{} is '{}': true and false are allowed; client metrics stay off", KEY, value);
    }
    return trimmed.equals("true");
  }
}
