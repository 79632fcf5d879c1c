package org.fastpath.bench.jmh.metrics;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.fastpath.metrics.AggregateSource;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;

/**
 * Creates our metrics like a daemon, which starts Metrics2 before it registers the first one. Names
 * are new each time, so a benchmark can run twice in a JVM without a tear-down. JMH would attribute
 * the garbage of a tear-down to the last iteration.
 */
final class OurMetrics {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  static {
    DefaultMetricsSystem.initialize("Benchmarks");
  }

  private static final long PATIENCE_SECONDS = 10;

  private OurMetrics() {}

  /** Begins a source like that of a module. */
  static SourceBuilder source() {
    return Metrics.source("BenchmarkSource" + NUMBER.incrementAndGet(), "A source of a benchmark");
  }

  /** Returns a source of regions, with HBase's tags. */
  static AggregateSource regions() {
    return Metrics.aggregate(
        "BenchmarkRegions" + NUMBER.incrementAndGet(),
        "Regions of a benchmark",
        "namespace",
        "table",
        "region");
  }

  /** Returns the source as Metrics2 sees it, after the publisher's thread has registered it. */
  static MetricsSource published(AggregateSource aggregate) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (DefaultMetricsSystem.instance().getSource(aggregate.name()) == null) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            aggregate.name() + " is not published: " + Metrics.errors());
      }
      Thread.onSpinWait();
    }
    return DefaultMetricsSystem.instance().getSource(aggregate.name());
  }
}
