package org.fastpath.bench.jmh.metrics;

import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.regionserver.MetricsRegionAggregateSourceImpl;
import org.apache.hadoop.hbase.regionserver.MetricsRegionSourceImpl;
import org.apache.hadoop.hbase.regionserver.MetricsRegionWrapperStub;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.JmxCacheBuster;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Sides;
import org.fastpath.metrics.AggregateSource;
import org.fastpath.metrics.Histogram;
import org.fastpath.metrics.SourceBuilder;
import org.fastpath.metrics.Unit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Takes a snapshot of a source of regions, through Metrics2 into a sink that only counts. It
 * measures time and garbage. A server does this every ten seconds if a sink is configured, and at
 * every scrape.
 *
 * <p>HBase's own source of regions has 30 metrics per region and no histogram. It has the same
 * number of regions.
 *
 * <p>{@code bin/fastpath bench SnapshotBenchmark --millis 1000 --rounds 3}
 */
@Sides.Worlds(World.METRICS)
@Sides.Variants(
    param = "source",
    candidate = "ours",
    legend = {
      "ours=20 metrics per region: 9 counters and a histogram, which shows 11",
      "ours-counters=20 metrics per region, all of them counters",
      "ours-latencies=five histograms per region, which show 55 metrics",
      "HBase=MetricsRegionAggregateSource, 30 metrics per region, no histogram"
    })
@Sides.Subset(quick = "regions=10,1000")
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(jvmArgsAppend = {"-Xms1500m", "-Xmx1500m"})
public class SnapshotBenchmark {
  private static final long SEED = 42;
  private static final int PER_HISTOGRAM = 11;
  private static final int PER_REGION = 20;
  private static final int LATENCIES = 5;
  private static final int PER_HBASE_REGION = 30;

  private static final int VALUES = 200;

  @Param({"ours", "ours-counters", "ours-latencies", "HBase"})
  public String source;

  /** The number of regions of a RegionServer: a test's, a usual one, far too many. */
  @Param({"10", "1000", "10000"})
  public int regions;

  private final long[] values = HistogramBenchmark.skewed();
  private final Random random = new Random(SEED);
  private MetricsSource measured;

  /** Creates the regions, and checks that a snapshot shows them all. */
  @Setup
  public void setUp() {
    World.confirmCurrent();
    int perRegion = create();
    long shown = snapshot();
    if (shown < (long) regions * perRegion) {
      throw new IllegalStateException(
          source + " shows " + shown + " metrics instead of " + (long) regions * perRegion);
    }
  }

  private int create() {
    return switch (source) {
      case "ours" -> ours(PER_REGION - PER_HISTOGRAM, 1);
      case "ours-counters" -> ours(PER_REGION, 0);
      case "ours-latencies" -> ours(0, LATENCIES);
      case "HBase" -> hbase();
      default -> throw new IllegalArgumentException("there is no source " + source);
    };
  }

  private int ours(int counters, int histograms) {
    AggregateSource aggregate = OurMetrics.regions();
    for (int region = 0; region < regions; region++) {
      SourceBuilder builder =
          aggregate.pseudoSource("default", "usertable", FixedRegion.name(region));
      for (int i = 0; i < counters; i++) {
        builder.counter("operation" + i + "Count", "Operations").add(random.nextInt(VALUES));
      }
      for (int i = 0; i < histograms; i++) {
        fill(builder.histogram("operation" + (counters + i), Unit.NANOS, "Operations"));
      }
      builder.register();
    }
    measured = OurMetrics.published(aggregate);
    return counters + histograms * PER_HISTOGRAM;
  }

  private void fill(Histogram histogram) {
    for (int i = 0; i < VALUES; i++) {
      histogram.record(values[random.nextInt(values.length)]);
    }
  }

  private int hbase() {
    MetricsRegionAggregateSourceImpl aggregate = new MetricsRegionAggregateSourceImpl();
    for (int region = 0; region < regions; region++) {
      new MetricsRegionSourceImpl(new FixedRegion(region), aggregate);
      if (region == 0) {
        // After a region opens or closes, HBase restarts the metrics system a few seconds later.
        JmxCacheBuster.stop();
      }
    }
    measured = aggregate;
    return PER_HBASE_REGION;
  }

  /**
   * Takes a snapshot as a timer or JMX starts it. A source fills a collector, and the collector's
   * metrics go to a sink, which here only counts.
   */
  @Benchmark
  public long snapshot() {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    measured.getMetrics(collector, true);
    long count = 0;
    for (MetricsRecord record : collector.getRecords()) {
      for (AbstractMetric metric : record.metrics()) {
        count += metric == null ? 0 : 1;
      }
    }
    return count;
  }

  /**
   * A region for HBase's metrics without a RegionServer. The numbers are those of HBase's stub. The
   * names are as long as in our source, because HBase builds its metric names at every snapshot.
   */
  private static final class FixedRegion extends MetricsRegionWrapperStub {
    private final int number;
    private final String name;

    FixedRegion(int number) {
      this.number = number;
      this.name = name(number);
    }

    /** Returns a name as long as a region's encoded name. */
    static String name(int number) {
      return String.format(Locale.ROOT, "%032x", number);
    }

    @Override
    public String getTableName() {
      return "usertable";
    }

    @Override
    public String getNamespace() {
      return "default";
    }

    @Override
    public String getRegionName() {
      return name;
    }

    @Override
    public int getRegionHashCode() {
      return number;
    }

    @Override
    public Map<String, Long> getMemstoreOnlyRowReadsCount() {
      return Map.of();
    }

    @Override
    public Map<String, Long> getMixedRowReadsCount() {
      return Map.of();
    }
  }
}
