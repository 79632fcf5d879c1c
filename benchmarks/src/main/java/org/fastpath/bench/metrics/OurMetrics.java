package org.fastpath.bench.metrics;

import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.fastpath.metrics.AggregateSource;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;

/**
 * Our metrics as a daemon has them: with Metrics2 started before the first of them is registered.
 */
final class OurMetrics {
  static final String SOURCE = "BenchmarkSource";
  static final String AGGREGATE = "BenchmarkRegions";

  static {
    DefaultMetricsSystem.initialize("Benchmarks");
  }

  private OurMetrics() {}

  /** Begins a source that is like a module's. */
  static SourceBuilder source() {
    return Metrics.source(SOURCE, "A source to be measured");
  }

  /** A source of regions, told apart as HBase tells them apart. */
  static AggregateSource regions() {
    return Metrics.aggregate(AGGREGATE, "Regions to be measured", "namespace", "table", "region");
  }

  /** The same as Metrics2 sees it. */
  static MetricsSource published(String name) {
    MetricsSource source = DefaultMetricsSystem.instance().getSource(name);
    if (source == null) {
      throw new IllegalStateException(name + " is not published: " + Metrics.errors());
    }
    return source;
  }
}
