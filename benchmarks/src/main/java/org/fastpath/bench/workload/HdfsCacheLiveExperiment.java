package org.fastpath.bench.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.fastpath.bench.Interleaved;
import org.fastpath.bench.hdfs.LockedFiles;
import org.fastpath.bench.results.Measurement.Better;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.results.Series;

/**
 * What blocks in the DataNode's locked memory are worth to a RegionServer's clients: a table that
 * is all there, read as blocks over the DataNode's memory without a second-level cache, and read by
 * stock HBase, whose BucketCache has room for all of it and gets it from the same locked replicas.
 *
 * <p>Each side is started anew in each round and for each kind of reads, and is measured from the
 * first request on, and once more when it is warm. What a start costs any side, above all compiling
 * Java code, is in both; that the BucketCache is empty then is in one. A third side is ours with
 * the code compiled before. Clients without a rest take from the compiler the cores that it needs;
 * at a rate that leaves it some, as a cluster in use does, latencies say what a user sees.
 */
final class HdfsCacheLiveExperiment {
  /** The side that the report compares with the other. */
  static final String CANDIDATE = "ours";

  private static final String PREFIX = "hdfs-cache-live.";
  private static final String FIRST = "first";
  private static final String WARM = "warm";
  private static final int MILLIS = 1000;
  private static final int SLICE_MILLIS = 3 * MILLIS;
  private static final long MEGABYTE = 1L << 20;
  private static final long SEED = 2014;

  /** Rows chosen evenly. */
  private static final double EVEN = 0;

  /** For uneven sizes of blocks and what a cache keeps free. */
  private static final double ROOM = 1.3;

  private final Plan plan;
  private final Console console;
  private final WorkDirectory directory;
  private final Results.Builder results;

  /**
   * How much is done.
   *
   * @param rounds how often each side is measured
   * @param firstSeconds how long it is measured from its start on
   * @param warmUpSeconds how long it warms up after that
   * @param seconds how long it is measured when it is warm
   * @param threads client threads
   * @param valueBytes size of each row's only value
   * @param tableMegabytes size of the table
   * @param heapMegabytes heap of the RegionServer
   * @param batch rows of a multi-get
   * @param scanRows rows of a scan
   * @param rate rows that all clients ask for in a second; 0 for as many as they get
   * @param reads the kinds of reads
   */
  record Plan(
      int rounds,
      int firstSeconds,
      int warmUpSeconds,
      int seconds,
      int threads,
      int valueBytes,
      int tableMegabytes,
      int heapMegabytes,
      int batch,
      int scanRows,
      int rate,
      List<ReaderLoad> reads) {

    DataTable.Shape shape() {
      return DataTable.Shape.ofMegabytes(tableMegabytes, valueBytes);
    }

    int cacheMegabytes() {
      return (int) (tableMegabytes * ROOM);
    }

    long lockedBytes() {
      return cacheMegabytes() * MEGABYTE;
    }

    List<Side> sides() {
      return List.of(
          Side.bucketCache(cacheMegabytes()), Side.mappedBlocks(), Side.warmedMappedBlocks());
    }

    List<String> serverFlags() {
      return new ServerMemory(heapMegabytes, cacheMegabytes()).flags();
    }

    Map<String, String> params(ReaderLoad kind) {
      Map<String, String> params = new LinkedHashMap<>();
      params.put("value bytes", Integer.toString(valueBytes));
      params.put("rows", Integer.toString(shape().rows()));
      params.put("cache MB", Integer.toString(cacheMegabytes()));
      if (kind == ReaderLoad.MULTI_GET) {
        params.put("batch", Integer.toString(batch));
      } else if (kind != ReaderLoad.GET) {
        params.put("rows per scan", Integer.toString(scanRows));
      }
      if (rate > 0) {
        params.put("rows/s", Integer.toString(rate));
      }
      params.put(ThreadCharts.THREADS, Integer.toString(threads));
      return params;
    }

    double requestsPerSecond(ReaderLoad kind) {
      return rate == 0
          ? Double.POSITIVE_INFINITY
          : (double) rate / kind.rowsOfRequest(batch, scanRows);
    }
  }

  HdfsCacheLiveExperiment(
      Plan plan, Console console, WorkDirectory directory, Results.Builder results) {
    this.plan = plan;
    this.console = console;
    this.directory = directory;
    this.results = results;
  }

  /** Runs it; the figures are in the results then. */
  void run() throws IOException {
    directory.requireRoomForSockets();
    try (Testbed testbed =
            new Testbed(
                directory.cluster(),
                Side.STOCK,
                builder -> builder.shortCircuit(true).lockedMemory(plan.lockedBytes()),
                plan.serverFlags(),
                console::line);
        LockedFiles locked = LockedFiles.connect(testbed.connection().getConfiguration())) {
      DataTable table = CompactedTable.load(testbed, "locked", plan.shape(), console);
      long directive = locked.ask(table.directory());
      for (int round = 0; round < plan.rounds(); round++) {
        for (Side side : Interleaved.order(plan.sides(), round)) {
          for (ReaderLoad kind : plan.reads()) {
            testbed.use(side);
            results.describe(side.id(), testbed.describe(side));
            locked.await(directive, console.step("lock the table in memory", "bytes"));
            new Turn(testbed, table, side, kind, round).run();
          }
        }
      }
    }
  }

  /** One side in one round with one kind of reads. */
  private final class Turn {
    private final Testbed testbed;
    private final DataTable table;
    private final Side side;
    private final ReaderLoad kind;
    private final int round;

    Turn(Testbed testbed, DataTable table, Side side, ReaderLoad kind, int round) {
      this.testbed = testbed;
      this.table = table;
      this.side = side;
      this.kind = kind;
      this.round = round;
    }

    void run() throws IOException {
      RequestLoad.Request request =
          kind.request(new ZipfRequests(plan.shape(), EVEN), plan.batch(), plan.scanRows());
      RequestLoad clients =
          new RequestLoad(
              testbed.connection(),
              table.name(),
              request,
              plan.threads(),
              SEED + round,
              plan.requestsPerSecond(kind));
      try (LiveLoad load = new LiveLoad(testbed, clients, Optional.empty())) {
        List<ReadWindow> first = windows(load, plan.firstSeconds(), "first seconds");
        windows(load, plan.warmUpSeconds(), "warm-up");
        List<ReadWindow> warm = windows(load, plan.seconds(), "warm");
        load.stop();
        record(FIRST, ReadWindow.together(first));
        record(WARM, ReadWindow.together(warm));
        figure(
            "first-over-warm.latency.p50",
            "×",
            Better.LOWER,
            ReadWindow.together(first).latencyMillis(50)
                / ReadWindow.together(warm).latencyMillis(50));
        if (round == 0) {
          chart(first);
        }
      }
    }

    private List<ReadWindow> windows(LiveLoad load, int seconds, String what) throws IOException {
      String label =
          String.join(
              ", ", side.id(), "round " + (round + 1) + " of " + plan.rounds(), kind.label(), what);
      Console.Step step = console.step(label, "s");
      List<ReadWindow> windows = new ArrayList<>();
      for (int done = 0; done < seconds; done += SLICE_MILLIS / MILLIS) {
        windows.add(load.window(SLICE_MILLIS));
        step.update(done, seconds);
      }
      ReadWindow all = ReadWindow.together(windows);
      step.done(
          String.format(
              Locale.ROOT,
              "%,.0f rows/s, %.1f µs/row, half of the requests within %.2f ms, 99 %% within %.2f ms",
              all.rowsPerSecond(),
              all.cpuMicrosPerRow(),
              all.latencyMillis(50),
              all.latencyMillis(99)));
      return windows;
    }

    private void record(String phase, ReadWindow window) {
      figure(phase + ".rate", "rows/s", Better.HIGHER, window.rowsPerSecond());
      figure(phase + ".cpu", "µs/row", Better.LOWER, window.cpuMicrosPerRow());
      figure(phase + ".latency.p50", "ms", Better.LOWER, window.latencyMillis(50));
      figure(phase + ".latency.p99", "ms", Better.LOWER, window.latencyMillis(99));
    }

    private void figure(String label, String unit, Better better, double value) {
      String name = PREFIX + kind.label() + "." + label;
      results.round(name, plan.params(kind), side.id(), unit, value);
      results.better(name, better);
    }

    private void chart(List<ReadWindow> windows) {
      List<Double> seconds = new ArrayList<>();
      List<Double> median = new ArrayList<>();
      List<Double> slow = new ArrayList<>();
      long begin = windows.get(0).begin().millis();
      for (ReadWindow window : windows) {
        seconds.add((window.end().millis() - begin) / (double) MILLIS);
        median.add(window.latencyMillis(50));
        slow.add(window.latencyMillis(99));
      }
      String title = kind.label() + ": latency after a restart, ";
      results.series(new Series(title + "median", side.id(), "s", "ms", seconds, median));
      results.series(new Series(title + "p99", side.id(), "s", "ms", seconds, slow));
    }
  }
}
