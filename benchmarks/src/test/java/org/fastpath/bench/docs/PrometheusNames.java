package org.fastpath.bench.docs;

import java.lang.reflect.Method;
import java.util.Locale;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;

/**
 * Returns the names under which HBase and Hadoop show a metric of Metrics2 to Prometheus. Their
 * rules differ: HBase's sees no word boundary after a digit. So this class calls both instead of
 * imitating them.
 */
final class PrometheusNames {
  private static final String SERVLET =
      "org.apache.hadoop.hbase.http.prometheus.PrometheusHadoopServlet";
  private static final PrometheusMetricsSink HADOOP = new PrometheusMetricsSink();

  private PrometheusNames() {}

  /** Returns whether this HBase has the endpoint; 2.5 does not. */
  static boolean inHBase() {
    try {
      Class.forName(SERVLET);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Returns the name at a RegionServer's {@code /prometheus}. */
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

  /** Returns the name at a DataNode's {@code /prom}. */
  static String hadoop(String record, String metric) {
    return HADOOP.prometheusName(record, metric);
  }

  /** Returns the label that both use for a tag. */
  static String label(String tag) {
    return tag.toLowerCase(Locale.ROOT);
  }
}
