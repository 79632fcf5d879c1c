package org.fastpath.bench.jmh.metrics;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.fastpath.metrics.AggregateSource;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;

/**
 * Our metrics as a daemon has them: with Metrics2 started before the first of them is registered.
 * Names are new ones each time, so that a benchmark can run twice in a JVM without a tear-down,
 * whose garbage JMH would ascribe to the last iteration.
 */
final class OurMetrics {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  static {
    DefaultMetricsSystem.initialize("Benchmarks");
  }

  private static final long PATIENCE_SECONDS = 10;

  private OurMetrics() {}

  /** Begins a source that is like a module's. */
  static SourceBuilder source() {
    return Metrics.source("BenchmarkSource" + NUMBER.incrementAndGet(), "A source to be measured");
  }

  /** A source of regions, told apart as HBase tells them apart. */
  static AggregateSource regions() {
    return Metrics.aggregate(
        "BenchmarkRegions" + NUMBER.incrementAndGet(),
        "Regions to be measured",
        "namespace",
        "table",
        "region");
  }

  /** The same as Metrics2 sees it, once the publisher's thread has registered it. */
  static MetricsSource published(AggregateSource aggregate) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    MetricsSource source = DefaultMetricsSystem.instance().getSource(aggregate.name());
    while (source == null) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            aggregate.name() + " is not published: " + Metrics.errors());
      }
      Thread.onSpinWait();
      source = DefaultMetricsSystem.instance().getSource(aggregate.name());
    }
    return source;
  }
}
