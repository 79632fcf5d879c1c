package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Pause;
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
 * The memory has room for slightly more than two tables; ours reserves half of it for outputs of
 * compactions. A turn is one variant's, on its own new processes. It has four phases: the first
 * table is hot, the second is, it is compacted, and the others are scanned.
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
  private static final int THREADS = 5;
  private static final int BATCH = 50;

  /** The time between two checks of the reads by the RegionServer that pins files. */
  private static final int CHECK_SECONDS = 2;

  private static final double MEGABYTE = 1 << 20;
  private static final double HOT_SHARE = 0.95;

  private static final double ROOM = 2.2;

  private static final int SCAN_BYTES = 4 << 20;
  private static final long SEED = 2014;

  /** The hit ratio of gets; other hits do not count here. */
  private static final Figure<Window> HIT = Figure.high("hit", "%", Window.POINT_HIT::of);

  private static final List<Figure<Window>> FIGURES = Figure.all(Window.USUAL, HIT, Window.DISK);

  @Mixin private Options.Rounds rounds = new Options.Rounds(2);
  @Mixin private Options.TableSize size = new Options.TableSize(128, 1024);

  @Option(names = "--seconds", description = "Length of each phase.")
  private int seconds = 40;

  @Option(names = "--tables", description = "Tables, of which one at a time is hot.")
  private int tables = 5;

  @Option(names = "--half-life", converter = Options.Positive.class, description = "Seconds.")
  private int halfLife = 20;

  private Run run;
  private Testbed testbed;
  private final List<DataTable> loaded = new ArrayList<>();

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
        .with("batch", BATCH)
        .with("threads", THREADS);
  }

  @Override
  protected void run(Run started) throws IOException {
    run = started;
    run.directory().requireRoomForSockets();
    run.results().candidate("ours");
    int memory = memoryMegabytes();
    try (Testbed cluster =
        new Testbed(
            run,
            Variant.STOCK,
            Testbed.memory(size.heap, memory),
            builder ->
                builder
                    .shortCircuit(true)
                    .lockedMemory((long) memory << 20)
                    // The first-level cache of both variants has no room for data.
                    .conf("hfile.block.cache.size", "0.02"))) {
      testbed = cluster;
      for (int i = 0; i < tables; i++) {
        loaded.add(DataTable.compacted(testbed, "table-" + i, shape(), run));
      }
      Interleaved.rounds(
          rounds.rounds,
          List.of(
              Variant.bucketCache(memory), Variant.pinnedBlocks(memory, CHECK_SECONDS, halfLife)),
          (variant, round, label) -> {
            testbed.use(variant, run.results());
            new Turn(variant, round).run();
          });
    }
  }

  private final class Turn {
    private final Variant variant;
    private final int round;
    private final Requests.Shifting reads;
    private final List<Window> windows = new ArrayList<>();
    private long mostPinned;
    private Meter meter;

    Turn(Variant variant, int round) throws IOException {
      this.variant = variant;
      this.round = round;
      RequestLoad.Request gets = new Requests(shape(), 0).multiGet(BATCH);
      reads = new Requests.Shifting(testbed.connection(), loaded, gets, HOT_SHARE);
    }

    void run() throws IOException {
      try (Meter clients = new Meter(testbed, load(reads, THREADS))) {
        meter = clients;
        List<Window> settled = lastHalf(phase("the first table is hot"));
        record("settled.", settled);
        shift(HIT.of(Window.together(settled)));
        compaction();
        scans();
        clients.stop();
      }
      String chart = "round " + (round + 1) + ": ";
      Window.draw(run, chart + "out of memory", variant.id(), HIT, windows);
      Window.draw(run, chart + "p99", variant.id(), Window.P99, windows);
      if (variant.pinsFiles()) {
        // The unused part of the pool's limit, which is never negative.
        figure("limit.left", "MB", memoryMegabytes() - mostPinned / MEGABYTE);
        run.results().better(PREFIX + "limit.left", Better.HIGHER);
      }
    }

    private RequestLoad load(RequestLoad.Request request, int clients) throws IOException {
      return new RequestLoad(
          testbed.connection(), loaded.get(0).name(), request, clients, SEED + round);
    }

    private Window next() throws IOException {
      Window window = meter.window(WINDOW_MILLIS);
      windows.add(window);
      mostPinned = Math.max(mostPinned, pins("pinnedBytes"));
      return window;
    }

    /** Returns a counter of pins, up to a second old; 0 if the variant pins no files. */
    private long pins(String name) throws IOException {
      return variant.pinsFiles() ? testbed.counter(PINS, name) : 0;
    }

    private void shift(double settledHit) throws IOException {
      reads.shiftTo(1);
      long before = pins("pinCount") + pins("unpinCount");
      List<Window> shifted = phase("the second table is hot");
      record("shift.", shifted.subList(0, Math.min(shifted.size(), 2)));
      record("followed.", lastHalf(shifted));
      // The time from the shift until 95 % of the earlier hit ratio, or the whole time.
      double followed =
          shifted.stream()
              .filter(window -> HIT.of(window) >= 0.95 * settledHit)
              .mapToDouble(window -> window.secondsAfter(shifted.get(0)))
              .findFirst()
              .orElse(seconds);
      figure("shift.follow-seconds", "s", followed);
      if (variant.pinsFiles()) {
        long after = pins("pinCount") + pins("unpinCount");
        figure("shift.directive-changes", "changes", after - before);
      }
    }

    private void compaction() throws IOException {
      Future<?> compaction = ForkJoinPool.commonPool().submit(this::compactHotTable);
      List<Window> during = new ArrayList<>();
      while (during.isEmpty() || !compaction.isDone()) {
        during.add(next());
      }
      Pause.await(compaction);
      record("compaction.", during);
      List<Window> after = phase("it was compacted");
      record("compacted.", after.subList(0, (after.size() + 1) / 2));
    }

    private Void compactHotTable() throws IOException {
      loaded.get(1).majorCompact();
      return null;
    }

    private void scans() throws IOException {
      int rows = Math.max(1, SCAN_BYTES / shape().rowBytes());
      List<DataTable> others = loaded.subList(2, loaded.size());
      RequestLoad.Request scan = new Requests(shape(), 0).scan(rows, 0, 0);
      RequestLoad.Request scans =
          new Requests.Shifting(testbed.connection(), others, scan, 1.0 / others.size());
      try (RequestLoad load = load(scans, 1)) {
        List<Window> beside = phase("the others are scanned");
        double scanned = (double) load.rows() * shape().rowBytes() / MEGABYTE;
        load.stop();
        record("scans.", lastHalf(beside));
        figure("scans.scanned", "MB/s", scanned / Window.together(beside).seconds());
      }
    }

    private List<Window> phase(String what) throws IOException {
      String label = Interleaved.label(round, rounds.rounds);
      Console.Step step = run.step("windows", variant.id(), label, what);
      List<Window> phase = new ArrayList<>();
      int count = Math.max(2, seconds * 1000 / WINDOW_MILLIS);
      for (int done = 0; done < count; done++) {
        step.update(done, count);
        phase.add(next());
      }
      Window all = Window.together(phase);
      step.done(String.format(Locale.ROOT, "%s; %.0f %% out of memory", all, HIT.of(all)));
      return phase;
    }

    private void record(String phase, List<Window> of) {
      run.round(FIGURES, PREFIX + phase, params(), variant.id(), Window.together(of));
    }

    private void figure(String label, String unit, double value) {
      run.round(PREFIX + label, params(), variant.id(), unit, value);
    }
  }

  private static List<Window> lastHalf(List<Window> phase) {
    return phase.subList(phase.size() / 2, phase.size());
  }
}
