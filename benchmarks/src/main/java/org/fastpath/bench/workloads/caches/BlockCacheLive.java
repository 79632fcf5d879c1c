package org.fastpath.bench.workloads.caches;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.DataTable;
import org.fastpath.bench.engine.cluster.Meter;
import org.fastpath.bench.engine.cluster.RequestLoad;
import org.fastpath.bench.engine.cluster.Requests;
import org.fastpath.bench.engine.cluster.Testbed;
import org.fastpath.bench.engine.cluster.Variant;
import org.fastpath.bench.engine.cluster.Window;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the effect of an off-heap block cache on clients. HBase's BucketCache and ours have the
 * same size in a RegionServer with the same heap. The table is larger than the cache.
 *
 * <p>In each round, each variant gets a new RegionServer on the same store file. Reads by Zipf's
 * law fill and warm the cache until the hit ratio is steady. Then they are measured with each
 * number of client threads. A scan of the whole table runs in step with the gets. Clients and
 * servers share the machine. So rows per second depend on both, and the CPU time of the
 * RegionServer on it alone.
 */
@Command(
    name = "block-cache-live",
    header = "Reads through a block cache off the heap: HBase's and ours",
    description =
        "Reads by many clients through an off-heap block cache that is smaller than the table."
            + " Measures hit ratio, rows per second, CPU time and garbage collection of the"
            + " RegionServer. Sides: bucket-cache; ours.")
@Experiment.Quick("--rounds 1 --warm-up 3 --seconds 3 --threads 5 --cache 64 --heap 512")
public final class BlockCacheLive extends Experiment {
  private static final int TABLE_OVER_CACHE = 2;

  /** BucketCache needs 2 MB for each of its fourteen block sizes. */
  private static final int MIN_CACHE = 64;

  private static final int VALUE_BYTES = 1000;

  private static final int BLOCK_BYTES = 64 << 10;

  private static final int SLICE_MILLIS = 3000;

  /** The hit ratio is steady if the last few slices differ by at most one percent. */
  private static final int STEADY_SLICES = 4;

  private static final double STEADY_PERCENT = 1;

  /** The time between the start of clients and the first measurement. */
  private static final int SETTLE_MILLIS = 2000;

  /** The longest warm-up, in multiples of the requested time, if the hit ratio still rises. */
  private static final int LONGEST_WARM_UP = 3;

  private static final long SEED = 2015;
  private static final long STARTS_PER_ROUND = 1000;
  private static final String MULTI_GET = "multi-get";
  private static final String SCAN = "scan";
  private static final List<Figure<Window>> FIGURES = Figure.all(Window.USUAL, Window.HIT);

  @Mixin private Options.Rounds rounds = new Options.Rounds(3);
  @Mixin private Options.Times times = new Options.Times(30, 20);
  @Mixin private Options.Load load = new Options.Load(List.of(5, 25, 50, 75), MULTI_GET, SCAN);

  @Option(names = "--cache", paramLabel = "MB", description = "Size of the cache.")
  private int cache = 1024;

  @Option(names = "--rows", description = "Rows of the table; 0 for twice the size of the cache.")
  private int rows;

  @Option(names = "--heap", paramLabel = "MB", description = "Heap of the RegionServer.")
  private int heap = 1024;

  @Option(
      names = "--zipf",
      description = "Exponent of Zipf's law for the choice of rows; 0 is even.")
  private double zipf = 0.99;

  @Option(names = "--scan", description = "Percent of look-ups by a scan of the table.")
  private int scan = 5;

  @Option(names = "--huge-pages", description = "Also measure both caches in huge pages of glibc.")
  private boolean hugePages;

  private Run run;
  private Testbed testbed;
  private TableName table;
  private long seed;

  @Override
  protected void check() {
    atLeast("--seconds", 2, times.seconds);
    atLeast("--cache", MIN_CACHE, cache);
    atLeast("--heap", 256, heap);
    atLeast("--rows", load.scanRows, shape().rows());
    chosen("reads", load.reads, List.of(MULTI_GET, SCAN), Function.identity());
    if (scan < 0 || scan > 90) {
      throw refusal("--scan is " + scan + ": 0 to 90 is possible");
    }
    if (!(zipf >= 0 && zipf <= 5)) {
      throw refusal("--zipf is " + zipf + ": 0 to 5 is possible");
    }
  }

  DataTable.Shape shape() {
    return rows == 0
        ? DataTable.Shape.ofMegabytes(TABLE_OVER_CACHE * cache, VALUE_BYTES)
        : DataTable.Shape.inFlushes(rows, VALUE_BYTES);
  }

  List<Variant> variants() {
    List<Variant> caches = List.of(Variant.bucketCache(cache), Variant.offHeapCache(cache));
    return hugePages
        ? Stream.concat(caches.stream(), caches.stream().map(Variant::withHugePages)).toList()
        : caches;
  }

  /** Returns the rows of the scan for each row of a get, which costs one look-up. */
  double scannedPerRow() {
    double rowsPerBlock = Math.max(1, (double) BLOCK_BYTES / shape().rowBytes());
    return rowsPerBlock * scan / (100.0 - scan);
  }

  Map<String, String> params(String kind, int threads) {
    Params params =
        new Params()
            .with("value bytes", VALUE_BYTES)
            .with("rows", shape().rows())
            .with("cache MB", cache)
            .with("heap MB", heap)
            .with("zipf", zipf);
    Params own =
        kind.equals(MULTI_GET)
            ? params.with("batch", load.batch).with("scan %", scan)
            : params.with("rows per scan", load.scanRows);
    return own.with("threads", threads);
  }

  @Override
  protected void run(Run started) throws IOException {
    run = started;
    run.results().candidate("ours");
    boolean shortCircuit = run.directory().hasRoomForSockets();
    try (Testbed servers =
        new Testbed(
            run,
            Variant.STOCK,
            Testbed.memory(heap, cache),
            builder -> builder.shortCircuit(shortCircuit))) {
      testbed = servers;
      table = DataTable.compacted(testbed, "cached", shape(), run).name();
      Interleaved.rounds(
          rounds.rounds,
          variants(),
          (variant, round, label) -> {
            testbed.use(variant, run.results());
            for (String kind : load.reads) {
              seed = SEED + STARTS_PER_ROUND * round;
              warmUp(variant.id(), kind, label);
              for (int threads : load.threads) {
                measure(variant.id(), kind, threads, label);
              }
            }
          });
    }
  }

  /** Runs with the maximum number of clients until the hit ratio is steady. */
  private void warmUp(String variant, String kind, String label) throws IOException {
    Console.Step step = run.step("s", variant, label, kind, "warm-up");
    int least = times.warmUp * 1000;
    List<Double> percents = new ArrayList<>();
    try (Meter meter = start(kind, Collections.max(load.threads))) {
      int done = 0;
      while (done < least || (done < LONGEST_WARM_UP * least && !steady(percents))) {
        percents.add(Window.HIT.of(meter.window(SLICE_MILLIS)));
        done += SLICE_MILLIS;
        step.update(done / 1000, times.warmUp);
      }
      meter.stop();
    }
    step.done(percents + " % of look-ups hit" + (steady(percents) ? "" : ", not steady"));
  }

  /** Returns whether the last few percentages differ by at most one percent. */
  static boolean steady(List<Double> percents) {
    int count = percents.size();
    List<Double> last = percents.subList(Math.max(0, count - STEADY_SLICES), count);
    return last.size() == STEADY_SLICES
        && Collections.max(last) - Collections.min(last) <= STEADY_PERCENT;
  }

  private void measure(String variant, String kind, int threads, String label) throws IOException {
    Console.Step step = run.step("s", variant, label, kind, threads + " threads");
    try (Meter meter = start(kind, threads)) {
      meter.window(SETTLE_MILLIS);
      Window window = meter.window(times.seconds * 1000);
      meter.stop();
      List<Figure<Window>> figures =
          kind.equals(MULTI_GET) ? Figure.all(FIGURES, Window.POINT_HIT) : FIGURES;
      run.round(figures, "live." + kind + ".", params(kind, threads), variant, window);
      String hit = String.format(Locale.ROOT, "; %.1f %% of look-ups hit", Window.HIT.of(window));
      step.done(window + hit);
    }
  }

  /** Starts clients whose rows differ from those before and equal those of the other variant. */
  private Meter start(String kind, int threads) throws IOException {
    long own = seed++;
    Requests requests = new Requests(shape(), zipf);
    RequestLoad.Request request =
        kind.equals(MULTI_GET) ? requests.multiGet(load.batch) : requests.scan(load.scanRows, 0, 0);
    RequestLoad clients = new RequestLoad(testbed.connection(), table, request, threads, own);
    if (kind.equals(SCAN) || scan == 0) {
      return new Meter(testbed, clients);
    }
    int first = new SplittableRandom(own).nextInt(shape().rows());
    RequestLoad.Request paced =
        new Requests(shape(), 0).pacedScan(first, scannedPerRow(), clients::rows);
    RequestLoad beside = new RequestLoad(testbed.connection(), table, paced, 1, own);
    return new Meter(testbed, clients, Optional.of(beside), true);
  }
}
