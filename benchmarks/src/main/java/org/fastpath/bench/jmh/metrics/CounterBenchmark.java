package org.fastpath.bench.jmh.metrics;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.metrics2.lib.DynamicMetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Sides;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.SourceBuilder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Adds one to a counter that all threads share.
 *
 * <p>{@code bin/fastpath bench CounterBenchmark --rounds 5}
 */
@Sides.Worlds(World.METRICS)
@Sides.Variants(
    param = "counter",
    candidate = "ours",
    legend = {
      "ours=a counter of a source: a cell for each thread",
      "ours-compact=a counter of a pseudo-source, of which a server has thousands"
    })
@Sides.Subset(quick = "threads=2")
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CounterBenchmark {
  @Param({"ours", "ours-compact", "AtomicLong", "LongAdder", "MutableFastCounter"})
  public String counter;

  /** One thread, the processors of a small machine, and many more. */
  @Param({"1", "2", "16"})
  public int threads;

  private Runnable update;

  /** Creates the counter, and checks that it counts. */
  @Setup
  public void setUp() {
    World.confirmCurrent();
    LongSupplier sum = create();
    update.run();
    if (sum.getAsLong() != 1) {
      throw new IllegalStateException(counter + " does not count");
    }
  }

  private LongSupplier create() {
    switch (counter) {
      case "ours":
        return ours(OurMetrics.source());
      case "ours-compact":
        return ours(OurMetrics.regions().pseudoSource("default", "usertable", "1"));
      case "AtomicLong":
        AtomicLong atomic = new AtomicLong();
        update = atomic::incrementAndGet;
        return atomic::get;
      case "LongAdder":
        LongAdder adder = new LongAdder();
        update = adder::increment;
        return adder::sum;
      case "MutableFastCounter":
        MutableFastCounter hbase =
            new DynamicMetricsRegistry("benchmark").newCounter("operationCount", "operations", 0);
        update = hbase::incr;
        return hbase::value;
      default:
        throw new IllegalArgumentException("there is no counter " + counter);
    }
  }

  private LongSupplier ours(SourceBuilder source) {
    Counter ours = source.counter("operationCount", "Operations");
    source.register();
    update = ours::increment;
    return ours::sum;
  }

  @Benchmark
  public void increment() {
    update.run();
  }
}
