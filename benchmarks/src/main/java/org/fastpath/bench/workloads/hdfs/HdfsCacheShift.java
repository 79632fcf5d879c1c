package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import org.apache.hadoop.util.functional.CommonCallableSupplier;
import org.apache.hadoop.util.functional.FutureIO;
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
import org.fastpath.bench.engine.results.Measurement.Better;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures reads while the hot table changes, while it is compacted, and while others are scanned.
 * In ours, the RegionServer chooses the files that DataNodes lock. Stock HBase has a BucketCache of
 * the same size.
 *
 * <p>Tables have one size. The memory has room for slightly more than two of them; ours reserves
 * half of it for outputs of compactions. A turn is one variant's, on its own new processes. It has
 * four phases: the first table is hot, the second is, it is compacted, and the others are scanned.
 */
@Command(
    name = "hdfs-cache-shift",
    header = "Reads while the hot table changes: HBase's BucketCache and pinned store files",
    description =
        "Multi-gets while the hot table changes, is compacted, and while other tables are scanned. Measures latencies,"
            + " rows per second and hits. Sides, with equal memory: bucket-cache; ours, mapped blocks of the files that"
            + " are read most.")
@Experiment.Quick("--rounds 1 --seconds 8 --tables 4 --table 32 --heap 512 --half-life 4")
public final class HdfsCacheShift extends Experiment {
  private static final String PREFIX = "hdfs-cache-shift.";
  private static final String PINS = "Hadoop:service=HBase,name=RegionServer,sub=HdfsCachePins";
  private static final int WINDOW_MILLIS = 2000;
  private static final double MEGABYTE = 1 << 20;
  private static final double HOT_SHARE = 0.95;

  /** The number of tables that fit into the memory. */
  private static final double ROOM = 2.2;

  /** The part of the steady hit ratio at which a variant has adapted. */
  private static final double FOLLOWED_PART = 0.95;

  private static final int SCAN_BYTES = 4 << 20;
  private static final long SEED = 2014;

  /** The hit ratio of gets; other hits do not count here. */
  private static final Figure<Window> HIT = Figure.high("hit", "%", Window.POINT_HIT::of);

  private static final List<Figure<Window>> FIGURES =
      List.of(Window.RATE, Window.CPU, HIT, Window.P50, Window.P99, Window.DISK);

  @Mixin private Options.Rounds rounds = new Options.Rounds(2);
  @Mixin private Options.TableSize size = new Options.TableSize(128, 1024);

  @Option(names = "--seconds", paramLabel = "N", description = "Length of each phase.")
  private int seconds = 40;

  @Option(names = "--threads", converter = Options.Positive.class)
  private int threads = 5;

  @Option(names = "--tables", description = "Tables, of which one at a time is hot.")
  private int tables = 5;

  @Option(
      names = "--batch",
      converter = Options.Positive.class,
      description = "Rows of a multi-get.")
  private int batch = 50;

  @Option(names = "--interval", converter = Options.Positive.class, description = "Seconds.")
  private int interval = 2;

  @Option(names = "--half-life", converter = Options.Positive.class, description = "Seconds.")
  private int halfLife = 20;

  @Override
  protected void check() {
    atLeast("--seconds", 4, seconds);
    atLeast("--tables", 4, tables);
    atLeast("--table", 32, size.table);
    atLeast("--heap", 256, size.heap);
  }

  private DataTable.Shape shape() {
    return DataTable.Shape.ofMegabytes(size.table, size.valueBytes);
  }

  private int memoryMegabytes() {
    return (int) (size.table * ROOM);
  }

  private Map<String, String> params() {
    return new Params()
        .with("tables", tables)
        .with("table MB", size.table)
        .with("memory MB", memoryMegabytes())
        .with("value bytes", size.valueBytes)
        .with("batch", batch)
        .with("threads", threads);
  }

  @Override
  protected void run(Run run) throws IOException {
    run.directory().requireRoomForSockets();
    run.results().candidate("ours");
    int memory = memoryMegabytes();
    try (Testbed testbed =
        new Testbed(
            run,
            Variant.STOCK,
            Testbed.memory(size.heap, memory),
            builder ->
                builder
                    .shortCircuit(true)
                    .lockedMemory((long) memory << 20)
                    // Both variants have a first-level cache for indexes and Bloom filters, not for
                    // data.
                    .conf("hfile.block.cache.size", "0.02"))) {
      List<DataTable> loaded = new ArrayList<>();
      for (int i = 0; i < tables; i++) {
        loaded.add(DataTable.compacted(testbed, "table-" + i, shape(), run));
      }
      List<Variant> variants =
          List.of(Variant.bucketCache(memory), Variant.pinnedBlocks(memory, interval, halfLife));
      Interleaved.rounds(
          rounds.rounds,
          variants,
          (variant, round, label) -> {
            testbed.use(variant, run.results());
            turn(run, testbed, loaded, variant, round);
          });
    }
  }

  /** One variant in one round, and the pinned bytes at the end of each of its windows. */
  private record Turn(
      Run run,
      Testbed testbed,
      List<DataTable> loaded,
      Variant variant,
      int round,
      Requests.Shifting reads,
      Meter meter,
      List<Long> pinned) {
    /** Measures the next window. */
    private Window next() throws IOException {
      Window window = meter.window(WINDOW_MILLIS);
      if (variant.pinsFiles()) {
        pinned.add(testbed.counter(PINS, "pinnedBytes"));
      }
      return window;
    }

    /** Returns the files that were pinned or unpinned so far, up to a second ago. */
    private long changes() throws IOException {
      return variant.pinsFiles()
          ? testbed.counter(PINS, "pinCount") + testbed.counter(PINS, "unpinCount")
          : 0;
    }
  }

  private void turn(Run run, Testbed testbed, List<DataTable> loaded, Variant variant, int round)
      throws IOException {
    Requests.Shifting reads =
        new Requests.Shifting(
            testbed.connection(), loaded, new Requests(shape(), 0).multiGet(batch), HOT_SHARE);
    try (Meter meter = new Meter(testbed, load(testbed, loaded, reads, threads, round))) {
      Turn turn = new Turn(run, testbed, loaded, variant, round, reads, meter, new ArrayList<>());
      List<Window> settled = lastHalf(phase(turn, "the first table is hot"));
      shift(turn, HIT.of(Window.together(settled)));
      compaction(turn);
      scans(turn);
      meter.stop();
      if (variant.pinsFiles()) {
        // The unused part of the pool's limit, which is never negative.
        double most = Collections.max(turn.pinned) / MEGABYTE;
        figure(turn, "limit.left", "MB", memoryMegabytes() - most);
        run.results().better(PREFIX + "limit.left", Better.HIGHER);
      }
    }
  }

  private static RequestLoad load(
      Testbed testbed, List<DataTable> of, RequestLoad.Request request, int clients, int round)
      throws IOException {
    return new RequestLoad(testbed.connection(), of.get(0).name(), request, clients, SEED + round);
  }

  private void shift(Turn turn, double settledHit) throws IOException {
    turn.reads.shiftTo(1);
    long before = turn.changes();
    List<Window> shifted = phase(turn, "the second table is hot");
    record(turn, "shift.", shifted.subList(0, Math.min(shifted.size(), 2)));
    record(turn, "followed.", lastHalf(shifted));
    // The time from the shift until the earlier hit ratio, or the whole time.
    double followed =
        shifted.stream()
            .filter(window -> HIT.of(window) >= FOLLOWED_PART * settledHit)
            .findFirst()
            .map(window -> window.secondsAfter(shifted.get(0)))
            .orElse((double) seconds);
    figure(turn, "shift.follow-seconds", "s", followed);
    if (turn.variant.pinsFiles()) {
      long changes = turn.changes() - before;
      figure(turn, "shift.directive-changes", "changes", changes);
    }
  }

  private void compaction(Turn turn) throws IOException {
    Future<?> compaction =
        CommonCallableSupplier.submit(
            ForkJoinPool.commonPool(),
            () -> {
              turn.loaded.get(1).majorCompact();
              return null;
            });
    List<Window> during = new ArrayList<>();
    while (during.isEmpty() || !compaction.isDone()) {
      during.add(turn.next());
    }
    FutureIO.awaitFuture(compaction);
    record(turn, "compaction.", during);
    List<Window> after = phase(turn, "it was compacted");
    record(turn, "compacted.", after.subList(0, (after.size() + 1) / 2));
  }

  private void scans(Turn turn) throws IOException {
    int rows = Math.max(1, SCAN_BYTES / shape().rowBytes());
    List<DataTable> others = turn.loaded.subList(2, turn.loaded.size());
    RequestLoad.Request scan = new Requests(shape(), 0).scan(rows, 0, 0);
    RequestLoad.Request scans =
        new Requests.Shifting(turn.testbed.connection(), others, scan, 1.0 / others.size());
    try (RequestLoad load = load(turn.testbed, turn.loaded, scans, 1, turn.round)) {
      List<Window> beside = phase(turn, "the others are scanned");
      double scanned = (double) load.rows() * shape().rowBytes() / MEGABYTE;
      load.stop();
      record(turn, "scans.", lastHalf(beside));
      figure(turn, "scans.scanned", "MB/s", scanned / Window.together(beside).seconds());
    }
  }

  private List<Window> phase(Turn turn, String what) throws IOException {
    String label = Interleaved.label(turn.round, rounds.rounds);
    Console.Step step = turn.run.step("windows", turn.variant.id(), label, what);
    List<Window> phase = new ArrayList<>();
    int count = Math.max(2, seconds * 1000 / WINDOW_MILLIS);
    for (int done = 0; done < count; done++) {
      step.update(done, count);
      phase.add(turn.next());
    }
    Window all = Window.together(phase);
    step.done(String.format(Locale.ROOT, "%s; %.0f %% out of memory", all, HIT.of(all)));
    return phase;
  }

  private void record(Turn turn, String phase, List<Window> of) {
    Window all = Window.together(of);
    turn.run.round(FIGURES, PREFIX + phase, params(), turn.variant.id(), all);
  }

  private void figure(Turn turn, String label, String unit, double value) {
    turn.run.round(PREFIX + label, params(), turn.variant.id(), unit, value);
  }

  private static List<Window> lastHalf(List<Window> phase) {
    return phase.subList(phase.size() / 2, phase.size());
  }
}
