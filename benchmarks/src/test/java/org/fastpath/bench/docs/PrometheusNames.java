package org.fastpath.bench.docs;

import java.lang.reflect.Method;
import java.util.Locale;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;

/**
 * What HBase and Hadoop call a metric of Metrics2 where Prometheus fetches it. Their rules differ:
 * HBase's sees no word boundary behind a digit. So both are asked, rather than imitated.
 */
final class PrometheusNames {
  private static final String SERVLET =
      "org.apache.hadoop.hbase.http.prometheus.PrometheusHadoopServlet";
  private static final PrometheusMetricsSink HADOOP = new PrometheusMetricsSink();

  private PrometheusNames() {}

  /** Whether this HBase has the endpoint; 2.5 does not. */
  static boolean inHBase() {
    try {
      Class.forName(SERVLET);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** At a RegionServer's {@code /prometheus}. */
  static String hbase(String record, String metric) {
    try {
      Method rule =
          Class.forName(SERVLET).getDeclaredMethod("toPrometheusName", String.class, String.class);
      rule.setAccessible(true);
      return (String) rule.invoke(null, record, metric);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this HBase does not say how it names metrics", e);
    }
  }

  /** At a DataNode's {@code /prom}. */
  static String hadoop(String record, String metric) {
    return HADOOP.prometheusName(record, metric);
  }

  /** What both make of a tag. */
  static String label(String tag) {
    return tag.toLowerCase(Locale.ROOT);
  }
}
