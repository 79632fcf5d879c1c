package org.fastpath.bench.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.fastpath.bench.Interleaved;
import org.fastpath.bench.results.Measurement.Better;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.results.Series;

/**
 * What becomes of reads when the table that is read most is another one all of a sudden, when its
 * store files are compacted, and while others are scanned: with a RegionServer that chooses for
 * itself what DataNodes keep in memory, and with stock HBase, whose BucketCache has as many bytes.
 *
 * <p>Several tables of one size; the memory has room for two of them and a little more, of which
 * ours keeps one half for what compactions write. A turn is one side's, on processes that were
 * started for it, and has four phases: the first table is hot; the second is; it is compacted; all
 * the others are scanned over and over.
 */
final class HdfsCacheShiftExperiment {
  /** The side that the report compares with the other. */
  static final String CANDIDATE = "ours";

  private static final String PREFIX = "hdfs-cache-shift.";
  private static final String SETTLED = "settled";
  private static final String SHIFT = "shift";
  private static final String FOLLOWED = "followed";
  private static final String COMPACTION = "compaction";
  private static final String COMPACTED = "compacted";
  private static final String SCANS = "scans";

  private static final int WINDOW_MILLIS = 2000;
  private static final double MILLIS = 1e3;
  private static final double MEGABYTE = 1 << 20;
  private static final double HOT_SHARE = 0.95;

  /** Rows chosen evenly. */
  private static final double EVEN = 0;

  /** Tables that the memory has room for. */
  private static final double ROOM = 2.2;

  /** The part of the settled hit ratio at which a side has followed. */
  private static final double FOLLOWED_PART = 0.95;

  private static final int SCAN_BYTES = 4 << 20;
  private static final long SEED = 2014;

  private final Plan plan;
  private final Console console;
  private final WorkDirectory directory;
  private final Results.Builder results;

  /**
   * How much is done.
   *
   * @param rounds how often each side is measured
   * @param seconds how long a phase takes
   * @param threads client threads
   * @param valueBytes size of each row's only value
   * @param tables how many tables
   * @param tableMegabytes size of each
   * @param heapMegabytes heap of the RegionServer
   * @param batch rows of a multi-get
   * @param intervalSeconds how often ours looks at what is read
   * @param halfLifeSeconds after which it has forgotten half of it
   */
  record Plan(
      int rounds,
      int seconds,
      int threads,
      int valueBytes,
      int tables,
      int tableMegabytes,
      int heapMegabytes,
      int batch,
      int intervalSeconds,
      int halfLifeSeconds) {

    DataTable.Shape shape() {
      return DataTable.Shape.ofMegabytes(tableMegabytes, valueBytes);
    }

    int memoryMegabytes() {
      return (int) (tableMegabytes * ROOM);
    }

    List<Side> sides() {
      return List.of(
          Side.bucketCache(memoryMegabytes()),
          Side.pinnedBlocks(memoryMegabytes(), intervalSeconds, halfLifeSeconds));
    }

    Map<String, String> params() {
      Map<String, String> params = new LinkedHashMap<>();
      params.put("tables", Integer.toString(tables));
      params.put("table MB", Integer.toString(tableMegabytes));
      params.put("memory MB", Integer.toString(memoryMegabytes()));
      params.put("value bytes", Integer.toString(valueBytes));
      params.put("batch", Integer.toString(batch));
      params.put(ThreadCharts.THREADS, Integer.toString(threads));
      return params;
    }
  }

  HdfsCacheShiftExperiment(
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
            builder ->
                builder
                    .shortCircuit(true)
                    .lockedMemory((long) (plan.memoryMegabytes() * MEGABYTE))
                    // Both sides have a first level for indexes and Bloom filters, not for data.
                    .conf("hfile.block.cache.size", "0.02"),
            new ServerMemory(plan.heapMegabytes(), plan.memoryMegabytes()).flags(),
            console::line)) {
      List<DataTable> tables = new ArrayList<>();
      for (int i = 0; i < plan.tables(); i++) {
        tables.add(CompactedTable.load(testbed, "table-" + i, plan.shape(), console));
      }
      for (int round = 0; round < plan.rounds(); round++) {
        for (Side side : Interleaved.order(plan.sides(), round)) {
          testbed.use(side);
          results.describe(side.id(), testbed.describe(side));
          new Turn(testbed, tables, side, round).run();
        }
      }
    }
  }

  /** A window of a turn, and what was pinned at its end. */
  private record Moment(ReadWindow window, PinReading pins) {}

  /** One side in one round. */
  private final class Turn {
    private final Testbed testbed;
    private final List<DataTable> tables;
    private final Side side;
    private final int round;
    private final ShiftingReads reads;
    private final List<Moment> moments = new ArrayList<>();
    private LiveLoad load;

    Turn(Testbed testbed, List<DataTable> tables, Side side, int round) {
      this.testbed = testbed;
      this.tables = tables;
      this.side = side;
      this.round = round;
      reads =
          new ShiftingReads(
              testbed.connection(),
              tables.stream().map(DataTable::name).toList(),
              new ZipfRequests(plan.shape(), EVEN).multiGet(plan.batch()),
              HOT_SHARE);
    }

    void run() throws IOException {
      try (LiveLoad clients =
          new LiveLoad(testbed, load(reads, plan.threads()), Optional.empty())) {
        load = clients;
        List<Moment> settled = lastHalf(phase("the first table is hot"));
        record(SETTLED, settled);
        shift(hit(settled));
        compaction();
        scans();
        load.stop();
      }
      if (side.pinsFiles()) {
        limits();
      }
      chart();
    }

    private RequestLoad load(RequestLoad.Request request, int threads) {
      return new RequestLoad(
          testbed.connection(), tables.get(0).name(), request, threads, SEED + round);
    }

    private void shift(double settledHit) throws IOException {
      reads.shiftTo(1);
      List<Moment> shifted = phase("the second table is hot");
      record(SHIFT, shifted.subList(0, Math.min(shifted.size(), 2)));
      record(FOLLOWED, lastHalf(shifted));
      figure("shift.follow-seconds", "s", Better.LOWER, secondsUntil(shifted, settledHit));
      if (side.pinsFiles()) {
        long changes = last(shifted).pins().changes() - shifted.get(0).pins().changes();
        figure("shift.directive-changes", "changes", Better.LOWER, changes);
      }
    }

    /** From the shift until reads find as much as before it; all the time if they never do. */
    private double secondsUntil(List<Moment> shifted, double hit) {
      long begin = shifted.get(0).window().begin().millis();
      return shifted.stream()
          .filter(moment -> moment.window().pointHitPercent() >= FOLLOWED_PART * hit)
          .findFirst()
          .map(moment -> (moment.window().end().millis() - begin) / MILLIS)
          .orElse((double) plan.seconds());
    }

    private void compaction() throws IOException {
      CompletableFuture<Void> compaction = CompletableFuture.runAsync(this::compact);
      List<Moment> during = new ArrayList<>();
      while (!compaction.isDone()) {
        during.add(next());
      }
      try {
        compaction.join();
      } catch (CompletionException e) {
        throw new IOException(e.getCause().getMessage(), e.getCause());
      }
      record(COMPACTION, during);
      List<Moment> after = phase("it was compacted");
      record(COMPACTED, after.subList(0, (after.size() + 1) / 2));
    }

    private void compact() {
      try {
        new MajorCompaction(testbed, tables.get(1), (done, total) -> {}).measure();
      } catch (IOException e) {
        throw new CompletionException(e);
      }
    }

    private void scans() throws IOException {
      int rows = Math.max(1, SCAN_BYTES / plan.shape().rowBytes());
      ShiftingReads scans =
          new ShiftingReads(
              testbed.connection(),
              tables.subList(2, tables.size()).stream().map(DataTable::name).toList(),
              new ZipfRequests(plan.shape(), EVEN).scan(rows),
              1.0 / (tables.size() - 2));
      try (RequestLoad scan = load(scans, 1)) {
        List<Moment> beside = phase("the others are scanned");
        double scanned = (double) scan.rows() * plan.shape().rowBytes() / MEGABYTE;
        scan.stop();
        record(SCANS, lastHalf(beside));
        figure("scans.scanned", "MB/s", Better.HIGHER, scanned / seconds(beside));
      }
    }

    private List<Moment> phase(String what) throws IOException {
      String label =
          String.join(", ", side.id(), "round " + (round + 1) + " of " + plan.rounds(), what);
      Console.Step step = console.step(label, "s");
      List<Moment> phase = new ArrayList<>();
      int windows = Math.max(2, (int) (plan.seconds() * MILLIS / WINDOW_MILLIS));
      for (int done = 0; done < windows; done++) {
        step.update(done, windows);
        phase.add(next());
      }
      ReadWindow all = together(phase);
      step.done(
          String.format(
              Locale.ROOT,
              "%,.0f rows/s, %.0f %% out of memory, 99 %% within %.2f ms, %.0f MB/s from disks",
              all.rowsPerSecond(),
              all.pointHitPercent(),
              all.latencyMillis(99),
              all.diskMegabytesPerSecond()));
      return phase;
    }

    private Moment next() throws IOException {
      ReadWindow window = load.window(WINDOW_MILLIS);
      Moment moment = new Moment(window, side.pinsFiles() ? testbed.pins() : PinReading.NONE);
      moments.add(moment);
      return moment;
    }

    private void record(String phase, List<Moment> of) {
      ReadWindow window = together(of);
      figure(phase + ".rate", "rows/s", Better.HIGHER, window.rowsPerSecond());
      figure(phase + ".cpu", "µs/row", Better.LOWER, window.cpuMicrosPerRow());
      figure(phase + ".hit", "%", Better.HIGHER, window.pointHitPercent());
      figure(phase + ".latency.p50", "ms", Better.LOWER, window.latencyMillis(50));
      figure(phase + ".latency.p99", "ms", Better.LOWER, window.latencyMillis(99));
      figure(phase + ".disk", "MB/s", Better.LOWER, window.diskMegabytesPerSecond());
    }

    /** What the pool's limit leaves over, which is never less than nothing. */
    private void limits() {
      long most = moments.stream().mapToLong(moment -> moment.pins().pinnedBytes()).max().orElse(0);
      figure("limit.left", "MB", Better.HIGHER, plan.memoryMegabytes() - most / MEGABYTE);
    }

    private void figure(String label, String unit, Better better, double value) {
      results.round(PREFIX + label, plan.params(), side.id(), unit, value);
      results.better(PREFIX + label, better);
    }

    private void chart() {
      List<Double> seconds = new ArrayList<>();
      List<Double> hits = new ArrayList<>();
      List<Double> slow = new ArrayList<>();
      List<Double> pinned = new ArrayList<>();
      long begin = moments.get(0).window().begin().millis();
      for (Moment moment : moments) {
        seconds.add((moment.window().end().millis() - begin) / MILLIS);
        hits.add(moment.window().pointHitPercent());
        slow.add(moment.window().latencyMillis(99));
        pinned.add(moment.pins().cachedBytes() / MEGABYTE);
      }
      String title = "round " + (round + 1) + ": ";
      results.series(new Series(title + "out of memory", side.id(), "s", "%", seconds, hits));
      results.series(new Series(title + "p99", side.id(), "s", "ms", seconds, slow));
      if (side.pinsFiles()) {
        results.series(new Series(title + "pinned", side.id(), "s", "MB", seconds, pinned));
      }
    }
  }

  private static List<Moment> lastHalf(List<Moment> phase) {
    return phase.subList(phase.size() / 2, phase.size());
  }

  private static double seconds(List<Moment> phase) {
    ReadWindow all = together(phase);
    return (all.end().millis() - all.begin().millis()) / MILLIS;
  }

  private static Moment last(List<Moment> phase) {
    return phase.get(phase.size() - 1);
  }

  private static double hit(List<Moment> moments) {
    return together(moments).pointHitPercent();
  }

  private static ReadWindow together(List<Moment> moments) {
    return ReadWindow.together(moments.stream().map(Moment::window).toList());
  }
}
