package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.TableName;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.DataTable;
import org.fastpath.bench.engine.cluster.MajorCompaction;
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
    description =
        "Multi-gets while the hot table changes, is compacted, and while other tables are scanned. Measures latencies,"
            + " rows per second and hits. Sides, with equal memory: bucket-cache; ours, mapped blocks of the files that"
            + " are read most.")
public final class HdfsCacheShift extends Experiment {
  private static final String PREFIX = "hdfs-cache-shift.";
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
  protected String title() {
    return "Reads while the hot table changes: HBase's BucketCache and pinned store files";
  }

  @Override
  protected String quick() {
    return "--rounds 1 --seconds 8 --tables 4 --table 32 --heap 512 --half-life 4";
  }

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
    Map<String, String> params = new LinkedHashMap<>();
    params.put("tables", Integer.toString(tables));
    params.put("table MB", Integer.toString(size.table));
    params.put("memory MB", Integer.toString(memoryMegabytes()));
    params.put("value bytes", Integer.toString(size.valueBytes));
    params.put("batch", Integer.toString(batch));
    params.put("threads", Integer.toString(threads));
    return params;
  }

  @Override
  protected void run(Run run) throws IOException {
    run.directory().requireRoomForSockets();
    run.results().candidate("ours");
    int memory = memoryMegabytes();
    try (Testbed testbed =
        new Testbed(
            run.directory().cluster(),
            Variant.STOCK,
            Testbed.memory(size.heap, memory),
            run.console()::line,
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
            new Phase(run, testbed, loaded, variant, round).run();
          });
    }
  }

  /** One variant in one round. */
  private final class Phase {
    private final Run run;
    private final Testbed testbed;
    private final List<DataTable> loaded;
    private final Variant variant;
    private final int round;
    private final Requests.Shifting reads;
    private PinWatch watch;

    Phase(Run run, Testbed testbed, List<DataTable> loaded, Variant variant, int round)
        throws IOException {
      this.run = run;
      this.testbed = testbed;
      this.loaded = loaded;
      this.variant = variant;
      this.round = round;
      reads = shifting(loaded, new Requests(shape(), 0).multiGet(batch), HOT_SHARE);
    }

    private Requests.Shifting shifting(
        List<DataTable> of, RequestLoad.Request request, double share) throws IOException {
      List<TableName> names = of.stream().map(DataTable::name).toList();
      return new Requests.Shifting(testbed.connection(), names, request, share);
    }

    void run() throws IOException {
      try (Meter clients = new Meter(testbed, load(reads, threads))) {
        watch = new PinWatch(testbed, variant, clients);
        List<Window> settled = lastHalf(phase("the first table is hot"));
        record("settled.", settled);
        shift(HIT.of(Window.together(settled)));
        compaction();
        scans();
        clients.stop();
      }
      if (variant.pinsFiles()) {
        // The unused part of the pool's limit, which is never negative.
        figure("limit.left", "MB", Better.HIGHER, memoryMegabytes() - watch.mostMegabytes());
      }
      watch.chart(run, "round " + (round + 1) + ": ", HIT);
    }

    private RequestLoad load(RequestLoad.Request request, int clients) throws IOException {
      return new RequestLoad(
          testbed.connection(), loaded.get(0).name(), request, clients, SEED + round);
    }

    private void shift(double settledHit) throws IOException {
      reads.shiftTo(1);
      int before = watch.size();
      List<Window> shifted = phase("the second table is hot");
      record("shift.", shifted.subList(0, Math.min(shifted.size(), 2)));
      record("followed.", lastHalf(shifted));
      figure("shift.follow-seconds", "s", Better.LOWER, secondsUntil(shifted, settledHit));
      if (variant.pinsFiles()) {
        figure("shift.directive-changes", "changes", Better.LOWER, watch.changesSince(before));
      }
    }

    /** Returns the time from the shift until the earlier hit ratio, or the whole time. */
    private double secondsUntil(List<Window> shifted, double hit) {
      long begin = shifted.get(0).beginMillis();
      return shifted.stream()
          .filter(window -> HIT.of(window) >= FOLLOWED_PART * hit)
          .findFirst()
          .map(window -> (window.endMillis() - begin) / 1e3)
          .orElse((double) seconds);
    }

    private void compaction() throws IOException {
      CompletableFuture<Void> compaction = CompletableFuture.runAsync(this::compact);
      List<Window> during = new ArrayList<>();
      while (during.isEmpty() || !compaction.isDone()) {
        during.add(watch.next());
      }
      try {
        compaction.join();
      } catch (CompletionException e) {
        throw new IOException(e.getCause().getMessage(), e.getCause());
      }
      record("compaction.", during);
      List<Window> after = phase("it was compacted");
      record("compacted.", after.subList(0, (after.size() + 1) / 2));
    }

    private void compact() {
      try {
        new MajorCompaction(testbed, loaded.get(1), (done, total) -> {}).measure();
      } catch (IOException e) {
        throw new CompletionException(e);
      }
    }

    private void scans() throws IOException {
      int rows = Math.max(1, SCAN_BYTES / shape().rowBytes());
      List<DataTable> others = loaded.subList(2, loaded.size());
      RequestLoad.Request scans =
          shifting(others, new Requests(shape(), 0).scan(rows, 0, 0), 1.0 / others.size());
      try (RequestLoad scan = load(scans, 1)) {
        List<Window> beside = phase("the others are scanned");
        double scanned = (double) scan.rows() * shape().rowBytes() / MEGABYTE;
        scan.stop();
        record("scans.", lastHalf(beside));
        double perSecond = scanned / Window.together(beside).seconds();
        figure("scans.scanned", "MB/s", Better.HIGHER, perSecond);
      }
    }

    private List<Window> phase(String what) throws IOException {
      Console.Step step =
          run.step("windows", variant.id(), Interleaved.label(round, rounds.rounds), what);
      List<Window> phase = new ArrayList<>();
      int count = Math.max(2, seconds * 1000 / PinWatch.WINDOW_MILLIS);
      for (int done = 0; done < count; done++) {
        step.update(done, count);
        phase.add(watch.next());
      }
      Window all = Window.together(phase);
      step.done(String.format(Locale.ROOT, "%s; %.0f %% out of memory", all, HIT.of(all)));
      return phase;
    }

    private void record(String phase, List<Window> of) {
      run.round(FIGURES, PREFIX + phase, params(), variant.id(), Window.together(of));
    }

    private void figure(String label, String unit, Better better, double value) {
      run.round(PREFIX + label, params(), variant.id(), unit, value);
      run.results().better(PREFIX + label, better);
    }
  }

  private static List<Window> lastHalf(List<Window> phase) {
    return phase.subList(phase.size() / 2, phase.size());
  }
}
