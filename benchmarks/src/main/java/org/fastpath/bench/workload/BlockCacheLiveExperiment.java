package org.fastpath.bench.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.fastpath.bench.Interleaved;
import org.fastpath.bench.results.Results;

/**
 * What a block cache off the heap is worth to clients: HBase's BucketCache and ours, each of the
 * same size in a RegionServer with the same heap, in front of a table that is larger than they are.
 *
 * <p>Each round gives each side a RegionServer that was just started, on the same store file. Reads
 * by Zipf's law fill and warm it up until the hit ratio rests, and are then measured with one
 * number of client threads after the other. Beside gets runs a scan of the whole table, in step
 * with them. Clients and servers share the machine, so that rows per second tell of both, and the
 * CPU time of the RegionServer of it alone.
 */
final class BlockCacheLiveExperiment {
  /** The side that the report compares with the other. */
  static final String CANDIDATE = "ours";

  private static final double PERCENT = 100;

  /** HBase's default. */
  private static final int BLOCK_BYTES = 64 << 10;

  private static final int MILLIS = 1000;
  private static final int SLICE_MILLIS = 3 * MILLIS;

  /** Between the start of clients and the first reading. */
  private static final int SETTLE_MILLIS = 2 * MILLIS;

  /** As many times as long as asked for, a warm-up goes on if the hit ratio still climbs. */
  private static final int LONGEST_WARM_UP = 3;

  private static final long SEED = 2015;
  private static final long STARTS_PER_ROUND = 1000;

  private final Plan plan;
  private final Console console;
  private final WorkDirectory directory;
  private final Results.Builder results;
  private final LiveCharts charts = new LiveCharts();
  private final Map<LoadKind, RequestLoad.Request> requests = new EnumMap<>(LoadKind.class);

  /**
   * How much is done.
   *
   * @param rounds how often each side is measured
   * @param seconds how long each kind of reads and number of threads is measured in a round
   * @param warmUpSeconds how long each kind of reads warms a new RegionServer up at least
   * @param threads the numbers of client threads
   * @param rows rows of the table
   * @param valueBytes size of each row's only value
   * @param cacheMegabytes size of the second-level cache
   * @param heapMegabytes heap of the RegionServer
   * @param zipf the exponent of Zipf's law
   * @param scanPercent the part of look-ups in the cache that the scan beside gets makes
   * @param batch rows of a multi-get
   * @param scanRows rows of a scan
   * @param reads the kinds of reads
   * @param hugePages whether each side is also measured in huge pages
   */
  record Plan(
      int rounds,
      int seconds,
      int warmUpSeconds,
      List<Integer> threads,
      int rows,
      int valueBytes,
      int cacheMegabytes,
      int heapMegabytes,
      double zipf,
      int scanPercent,
      int batch,
      int scanRows,
      List<LoadKind> reads,
      boolean hugePages) {

    DataTable.Shape shape() {
      return DataTable.Shape.inFlushes(rows, valueBytes);
    }

    /** Rows that the scan reads for each row that is got, which costs one look-up. */
    double scannedPerRow() {
      double rowsPerBlock = Math.max(1, (double) BLOCK_BYTES / shape().rowBytes());
      return rowsPerBlock * scanPercent / (PERCENT - scanPercent);
    }

    List<Side> sides() {
      List<Side> caches =
          List.of(Side.bucketCache(cacheMegabytes), Side.offHeapCache(cacheMegabytes));
      return hugePages
          ? Stream.concat(caches.stream(), caches.stream().map(Side::withHugePages)).toList()
          : caches;
    }

    List<String> serverFlags() {
      return new ServerMemory(heapMegabytes, cacheMegabytes).flags();
    }

    Map<String, String> params(LoadKind kind, int clients) {
      Map<String, String> params = new LinkedHashMap<>();
      params.put("value bytes", Integer.toString(valueBytes));
      params.put("rows", Integer.toString(rows));
      params.put("cache MB", Integer.toString(cacheMegabytes));
      params.put("heap MB", Integer.toString(heapMegabytes));
      params.put("zipf", Double.toString(zipf));
      if (kind == LoadKind.MULTI_GET) {
        params.put("batch", Integer.toString(batch));
        params.put("scan %", Integer.toString(scanPercent));
      } else {
        params.put("rows per scan", Integer.toString(scanRows));
      }
      params.put(ThreadCharts.THREADS, Integer.toString(clients));
      return params;
    }
  }

  BlockCacheLiveExperiment(
      Plan plan, Console console, WorkDirectory directory, Results.Builder results) {
    this.plan = plan;
    this.console = console;
    this.directory = directory;
    this.results = results;
    ZipfRequests zipf = new ZipfRequests(plan.shape(), plan.zipf());
    requests.put(LoadKind.MULTI_GET, zipf.multiGet(plan.batch()));
    requests.put(LoadKind.SCAN, zipf.scan(plan.scanRows()));
  }

  /** Runs it; the figures are in the results then. */
  void run() throws IOException {
    boolean shortCircuit = directory.hasRoomForSockets();
    try (Testbed testbed =
        new Testbed(
            directory.cluster(),
            Side.STOCK,
            Map.of(),
            shortCircuit,
            plan.serverFlags(),
            console::line)) {
      DataTable table = CompactedTable.load(testbed, "cached", plan.shape(), console);
      for (int round = 0; round < plan.rounds(); round++) {
        for (Side side : Interleaved.order(plan.sides(), round)) {
          testbed.use(side);
          results.describe(side.id(), testbed.describe(side));
          for (LoadKind kind : plan.reads()) {
            new Turn(testbed, table, side, kind, round).run();
          }
        }
      }
    }
    charts.addTo(results);
  }

  /** One side in one round with one kind of reads. */
  private final class Turn {
    private final Testbed testbed;
    private final DataTable table;
    private final Side side;
    private final LoadKind kind;
    private final int round;
    private int starts;

    Turn(Testbed testbed, DataTable table, Side side, LoadKind kind, int round) {
      this.testbed = testbed;
      this.table = table;
      this.side = side;
      this.kind = kind;
      this.round = round;
    }

    void run() throws IOException {
      warmUp();
      List<ReadWindow> windows = new ArrayList<>();
      for (int threads : plan.threads()) {
        windows.add(measure(threads));
      }
      if (isCharted()) {
        charts.collections(kind, side.id(), windows);
      }
    }

    private boolean isCharted() {
      return round == 0;
    }

    private String label(String step) {
      return String.join(
          ", ", side.id(), "round " + (round + 1) + " of " + plan.rounds(), kind.label(), step);
    }

    /** With as many clients as there will be at most, until the hit ratio rests. */
    private void warmUp() throws IOException {
      Console.Step step = console.step(label("warm-up"), "s");
      Steadiness steadiness = new Steadiness();
      int least = plan.warmUpSeconds() * MILLIS;
      int done = 0;
      double percent = 0;
      try (LiveLoad load = start(Collections.max(plan.threads()))) {
        while (done < least || (done < LONGEST_WARM_UP * least && !steadiness.reached())) {
          percent = load.window(SLICE_MILLIS).hitPercent();
          done += SLICE_MILLIS;
          steadiness.add(percent);
          step.update(done / MILLIS, plan.warmUpSeconds());
          if (isCharted()) {
            charts.warmUp(kind, side.id(), (double) done / MILLIS, percent);
          }
        }
        load.stop();
      }
      step.done(
          String.format(
              Locale.ROOT,
              "%.1f %% of look-ups hit after %d s%s",
              percent,
              done / MILLIS,
              steadiness.reached() ? "" : ", and not at rest"));
    }

    private ReadWindow measure(int threads) throws IOException {
      Console.Step step = console.step(label(threads + " threads"), "s");
      try (LiveLoad load = start(threads)) {
        load.window(SETTLE_MILLIS);
        ReadWindow window = load.window(plan.seconds() * MILLIS);
        load.stop();
        LiveFigure.record(results, kind, plan.params(kind, threads), side.id(), window);
        step.done(summary(window));
        return window;
      }
    }

    /** Other choices of rows than those before, and the same as those of the other side. */
    private LiveLoad start(int threads) throws IOException {
      long seed = SEED + STARTS_PER_ROUND * round + starts++;
      RequestLoad clients =
          new RequestLoad(testbed.connection(), table.name(), requests.get(kind), threads, seed);
      return new LiveLoad(testbed, clients, scanBeside(clients, seed));
    }

    private Optional<RequestLoad> scanBeside(RequestLoad clients, long seed) {
      if (kind == LoadKind.SCAN || plan.scanPercent() == 0) {
        return Optional.empty();
      }
      int first = new SplittableRandom(seed).nextInt(plan.rows());
      PacedScan scan = new PacedScan(plan.shape(), first, plan.scannedPerRow(), clients::rows);
      return Optional.of(new RequestLoad(testbed.connection(), table.name(), scan, 1, seed));
    }
  }

  private static String summary(ReadWindow window) {
    return String.format(
        Locale.ROOT,
        "%,.0f rows/s, %.1f µs/row, %.1f %% of look-ups hit, %d pauses, longest %.1f ms, %.0f MB/s"
            + " allocated",
        window.rowsPerSecond(),
        window.cpuMicrosPerRow(),
        window.hitPercent(),
        window.collections().size(),
        window.longestPauseMillis(),
        window.allocatedMegabytesPerSecond());
  }
}
