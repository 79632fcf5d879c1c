package org.fastpath.bench.jmh.metrics;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.HdrHistogram.Recorder;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableRatesWithAggregation;
import org.apache.hadoop.metrics2.lib.MutableStat;
import org.apache.hadoop.metrics2.lib.MutableTimeHistogram;
import org.apache.hadoop.metrics2.util.MetricsCache;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Sides;
import org.fastpath.metrics.Histogram;
import org.fastpath.metrics.SourceBuilder;
import org.fastpath.metrics.Unit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Records latencies in a histogram that all threads share. They are in nanoseconds and skewed like
 * those of a server. Hadoop's MutableStat and MutableRate have mean and extremes but no quantiles.
 *
 * <p>{@code bin/fastpath bench HistogramBenchmark --rounds 5}
 */
@Sides.Worlds(World.METRICS)
@Sides.Variants(
    param = "histogram",
    candidate = "ours",
    legend = {
      "ours=a histogram of a source, quantiles within 1 %",
      "ours-compact=a histogram of a pseudo-source: 2 KB, quantiles within 1 %",
      "HdrHistogram=its Recorder with two digits, which is 1 %",
      "MutableRates=MutableRatesWithAggregation: one MutableRate per thread, found by name",
      "MutableStat=no quantiles",
      "MutableRate=no quantiles"
    })
@Sides.Subset(quick = "threads=2")
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HistogramBenchmark {
  private static final long SEED = 42;

  /** A power of two, small enough for the first-level processor cache. */
  private static final int VALUES = 1024;

  private static final double MEDIAN_NANOS = 200_000;
  private static final double SIGMA = 0.9;
  private static final long HIGHEST = TimeUnit.HOURS.toNanos(1);
  private static final int DIGITS = 2;

  @Param({
    "ours",
    "ours-compact",
    "MutableTimeHistogram",
    "MutableStat",
    "MutableRate",
    "MutableRates",
    "HdrHistogram"
  })
  public String histogram;

  /** One thread, the processors of a small machine, and many more. */
  @Param({"1", "2", "16"})
  public int threads;

  private final long[] values = skewed();
  private LongConsumer record;

  /** The position of a thread in the values. */
  @State(Scope.Thread)
  public static class Position {
    private int next;

    /** Threads begin at different values, so they do not all update one bucket at once. */
    @Setup
    public void setUp(ThreadParams thread) {
      next = thread.getThreadIndex() * (VALUES / thread.getThreadCount());
    }

    int advance() {
      next = (next + 1) & (VALUES - 1);
      return next;
    }
  }

  /** Returns log-normal values: half of them below the median, a few a hundred times as long. */
  static long[] skewed() {
    Random random = new Random(SEED);
    return random
        .doubles(VALUES)
        .mapToLong(any -> (long) (MEDIAN_NANOS * Math.exp(SIGMA * random.nextGaussian())))
        .toArray();
  }

  /** Creates the histogram, and checks that it counts. */
  @Setup
  public void setUp() {
    World.confirmCurrent();
    LongSupplier count = create();
    for (long value : values) {
      record.accept(value);
    }
    if (count.getAsLong() != VALUES) {
      throw new IllegalStateException(histogram + " does not count");
    }
  }

  private LongSupplier create() {
    MetricsRegistry registry = new MetricsRegistry("benchmark");
    return switch (histogram) {
      case "ours" -> ours(OurMetrics.source());
      case "ours-compact" -> ours(OurMetrics.regions().pseudoSource("default", "usertable", "1"));
      case "MutableTimeHistogram" -> hbase(new MutableTimeHistogram("get", "gets"));
      case "MutableStat" -> hadoop(registry.newStat("get", "gets", "Ops", "Time"));
      case "MutableRate" -> hadoop(registry.newRate("get", "gets"));
      case "MutableRates" -> rates(registry.newRatesWithAggregation("rates"));
      case "HdrHistogram" -> {
        Recorder recorder = new Recorder(1, HIGHEST, DIGITS);
        record = recorder::recordValue;
        yield () -> recorder.getIntervalHistogram().getTotalCount();
      }
      default -> throw new IllegalArgumentException("there is no histogram " + histogram);
    };
  }

  private LongSupplier ours(SourceBuilder source) {
    Histogram ours = source.histogram("get", Unit.NANOS, "Gets");
    source.register();
    record = ours::record;
    return ours::count;
  }

  /**
   * Takes one snapshot. HBase's histogram chooses its buckets at every snapshot from the values so
   * far. A server takes its first one ten seconds after its start.
   */
  private LongSupplier hbase(MutableTimeHistogram hbase) {
    for (long value : values) {
      hbase.add(value);
    }
    hbase.snapshot(new MetricsCollectorImpl().addRecord("benchmark"), true);
    record = hbase::add;
    return () -> hbase.getCount() - VALUES;
  }

  private LongSupplier hadoop(MutableStat stat) {
    record = stat::add;
    return () -> stat.lastStat().numSamples();
  }

  private LongSupplier rates(MutableRatesWithAggregation rates) {
    record = value -> rates.add("get", value);
    return () -> {
      MetricsCollectorImpl collector = new MetricsCollectorImpl();
      rates.snapshot(collector.addRecord("benchmark"), true);
      MetricsCache.Record shown = new MetricsCache().update(collector.getRecords().get(0));
      return shown.getMetric("GetNumOps").longValue();
    };
  }

  @Benchmark
  public void record(Position position) {
    record.accept(values[position.advance()]);
  }
}
