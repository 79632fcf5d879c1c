package org.fastpath.bench.jmh.metrics;

import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.MutableMetric;

/**
 * The path of a snapshot through Metrics2, as a timer or JMX starts it. A source fills a collector,
 * and the collector's metrics go to a sink, which here only counts.
 */
final class SnapshotSink {
  private SnapshotSink() {}

  /** Takes a snapshot of all metrics and returns their number. */
  static long take(MetricsSource source) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    long count = 0;
    for (MetricsRecord record : collector.getRecords()) {
      for (AbstractMetric metric : record.metrics()) {
        count += metric == null ? 0 : 1;
      }
    }
    return count;
  }

  /** Returns the value of one metric; 0 if it does not exist. */
  static long counter(MutableMetric metrics, String name) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    metrics.snapshot(collector.addRecord("benchmark"), true);
    for (MetricsRecord record : collector.getRecords()) {
      for (AbstractMetric metric : record.metrics()) {
        if (metric.name().equals(name)) {
          return metric.value().longValue();
        }
      }
    }
    return 0;
  }
}
