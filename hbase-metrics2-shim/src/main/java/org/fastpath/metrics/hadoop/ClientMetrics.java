package org.fastpath.metrics.hadoop;

import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides whether a client program shows our metrics. Daemons of HBase and HDFS always do. */
final class ClientMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(ClientMetrics.class);

  /** {@code true} or {@code false}; a system property of the same name overrides core-site.xml. */
  static final String KEY = "dfs.fastpath.metrics.client";

  private ClientMetrics() {}

  static boolean wanted() {
    String value = System.getProperty(KEY);
    return parse(value == null ? new Configuration().get(KEY, "false") : value);
  }

  /** Parses the value. A wrong value is an error in the log; it never ends the client program. */
  static boolean parse(String value) {
    String trimmed = value.trim();
    if (!trimmed.equals("true") && !trimmed.equals("false")) {
      LOG.error("{} is '{}'; allowed are: true, false; client metrics stay off", KEY, value);
    }
    return trimmed.equals("true");
  }
}
