package org.fastpath.bench.demo;

import static java.util.concurrent.CompletableFuture.supplyAsync;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.Pause;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.CollapsedStacks;
import org.fastpath.bench.engine.cluster.DataTable;
import org.fastpath.bench.engine.cluster.FileWrites;
import org.fastpath.bench.engine.cluster.Meters;
import org.fastpath.bench.engine.cluster.RequestLoad;
import org.fastpath.bench.engine.cluster.Requests;
import org.fastpath.bench.engine.cluster.Usage;
import org.fastpath.bench.engine.cluster.Window;
import org.fastpath.bench.engine.results.Measurement;
import org.fastpath.bench.workloads.readers.SlicedTables;
import org.fastpath.metrics.region.RegionMeter;

/** Measures two clusters in turns, and adds a row of the table for each figure. */
final class SideBySide implements AutoCloseable {
  private static final long SEED = 2026;
  private static final int THREADS = 4;
  private static final int PROFILED_MILLIS = 2_500;
  private static final int BATCH = 100;
  private static final int GETS_PER_SCAN = 256;
  private static final double ZIPF = 0.99;

  /** Slices with the server's counters, which are up to a second old. */
  private static final int COUNTED_MILLIS = 1_100;

  /**
   * The figures while all blocks are cached. CPU time is first, because the client's share of the
   * machine hides the server's part of the rate.
   */
  private static final List<Figure<Window>> CACHED = List.of(Window.CPU, Window.RATE, Window.P99);

  /** The figures of a table that is larger than the cache. */
  private static final List<Figure<Window>> PARTLY_CACHED =
      List.of(Window.CPU, Window.P99, Figure.high("hit ratio", "%", Window.POINT_HIT::of));

  private static final List<Figure<Lines>> READS =
      List.of(
          Figure.low("client CPU", "µs", lines -> lines.median("preads.cpu")),
          Figure.low("time", "µs", lines -> lines.median("preads.time")));

  private static final List<Figure<FileWrites>> WRITES = List.of(FileWrites.P99, FileWrites.RATE);

  private static final List<Figure<Usage>> COMPACTION =
      List.of(
          Figure.low("RegionServer CPU", "s", Usage::cpuSeconds),
          Figure.low("DataNode CPU", "s", Usage::dataNodeSeconds),
          Figure.low("time", "s", Usage::wallSeconds));

  private static final List<Figure<Lines>> MEMORY =
      List.of(
          Figure.low("heap per block", "B", lines -> lines.median("block-cache.heap.read")),
          Figure.low("waste per block", "B", SideBySide::wastePerBlock));

  private final Run run;
  private final Rows table;
  private final Pace pace;
  private final DataTable.Shape shape;
  private final List<CompletableFuture<DemoCluster>> starts = new ArrayList<>();
  private final Map<String, DemoCluster> both = new LinkedHashMap<>();

  /** The number of slices of each side, their milliseconds, and the slices before them. */
  record Pace(int groups, int slice, int warmUps) {}

  /** A kind of reads of the cached table: its name, and words for the progress. */
  record Work(String name, String what, RequestLoad.Request request, int threads) {}

  /** Measures one side once. */
  private interface Turn<W> {
    W of(DemoCluster side) throws IOException;
  }

  /** Starts a cluster for each variant, stock or ours, at once. Loads a table that is cached. */
  SideBySide(Run run, Rows table, Pace pace, List<String> variants, DataTable.Shape shape)
      throws IOException {
    this.run = run;
    this.table = table;
    this.pace = pace;
    this.shape = shape;
    String base = variants.get(0);
    String second = variants.get(1).equals(base) ? "once more" : variants.get(1);
    run.results().candidate(second);
    boolean ours = variants.get(1).equals("ours");
    starts.add(supplyAsync(() -> new DemoCluster(run, base, base.equals("ours"), shape)));
    starts.add(supplyAsync(() -> new DemoCluster(run, second, ours, shape)));
    try {
      for (Future<DemoCluster> start : starts) {
        DemoCluster side = Pause.await(start);
        side.load(run);
        both.put(side.name, side);
      }
      Topics.add(run.results(), both.values());
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Reads the cached table. */
  void read(Work work) throws IOException {
    read(work, pace.warmUps);
  }

  private void read(Work work, int warmUps) throws IOException {
    Console.Step step = run.step("slices", work.what);
    try (Meters meters = new Meters()) {
      for (DemoCluster side : both.values()) {
        TableName name = side.table.name();
        meters.add(side.name, side.cluster, name, work.request, work.threads, SEED, false);
      }
      meters.slices(step, warmUps, SEED, pace.slice);
      Map<String, List<Window>> windows = meters.slices(step, pace.groups, SEED + 1, pace.slice);
      meters.stop();
      step.done(table.add(work.name, Map.of(), CACHED, windows));
    }
  }

  /** Samples both RegionServers while they answer; says so where the machine does not allow it. */
  void profile(Work work) {
    String title = work.name + ": CPU of the RegionServer";
    try {
      for (DemoCluster side : both.values()) {
        RequestLoad clients =
            new RequestLoad(
                side.cluster.connection(), side.table.name(), work.request, THREADS, SEED);
        CollapsedStacks.ofReads(run, side.cluster, title, side.name, clients, PROFILED_MILLIS);
      }
    } catch (IOException e) {
      run.console().line("no flame graphs: " + e.getMessage());
    }
  }

  /**
   * Reads two equal tables of our RegionServer. Only the regions of one have latencies. Halfway the
   * tables change places. Does nothing if the second side is stock.
   */
  void readMetered(DataTable.Shape rows) throws IOException {
    DemoCluster ours = List.copyOf(both.values()).get(1);
    if (!ours.ours) {
      return;
    }
    String without = "unmetered";
    run.results().describe(without, "a table of our RegionServer whose regions are not shown");
    List<String> names = List.of(without, ours.name);
    SlicedTables tables =
        new SlicedTables(run, ours.cluster, "metered_", rows, names, pace.slice / 4);
    Map<String, List<Window>> windows = new LinkedHashMap<>();
    names.forEach(name -> windows.put(name, new ArrayList<>()));
    for (int half = 0; half < 2; half++) {
      tables.cast(half, RegionMeter.TABLE_ATTRIBUTE, ours.name);
      tables.fill(Demo.SCAN_ROWS);
      int seconds = Math.max(1, pace.groups * pace.slice / 2000);
      RequestLoad.Request gets = new Requests(rows, 0).multiGet(BATCH);
      tables
          .measure(gets, THREADS, seconds, "gets of 100 rows each, without and with latencies")
          .forEach((name, own) -> windows.get(name).addAll(own));
      ours.cluster.awaitObserved(tables.of(ours.name), List.of(tables.of(without)));
    }
    table.add("multi-get with latencies", Map.of(), List.of(Window.CPU), windows);
  }

  /** Gets rows of a table that is larger than the cache, some much more often. */
  void readLarge(DataTable.Shape rows) throws IOException {
    RequestLoad.Request gets =
        new Requests(rows, ZIPF).getBesideScans(GETS_PER_SCAN, Demo.SCAN_ROWS);
    try (Meters meters = new Meters()) {
      for (DemoCluster side : both.values()) {
        TableName name = side.loadLarge(run, rows).name();
        meters.add(side.name, side.cluster, name, gets, THREADS, SEED, true);
      }
      Console.Step step = run.step("slices", "gets from a table larger than the cache");
      int millis = Math.max(pace.slice, COUNTED_MILLIS);
      meters.slices(step, pace.warmUps, SEED, millis);
      Map<String, List<Window>> windows = meters.slices(step, pace.groups, SEED + 1, millis);
      meters.stop();
      step.done(table.add("get, a third cached", Map.of(), PARTLY_CACHED, windows));
    }
  }

  /** Rewrites the files of that table. */
  void compact(int compactions) throws IOException {
    for (DemoCluster side : both.values()) {
      side.keepFiles();
    }
    Console.Step step = run.step("compactions", "major compactions");
    turns(step, Math.min(2, compactions), 0, DemoCluster::compact);
    Map<String, List<Usage>> usages = turns(step, compactions, 1, DemoCluster::compact);
    step.done(table.add("major compaction", Map.of(), COMPACTION, usages));
  }

  private <W> Map<String, List<W>> turns(Console.Step step, int count, int seed, Turn<W> turn)
      throws IOException {
    return Interleaved.slices(
        both.keySet(),
        count,
        SEED + seed,
        (name, i) -> {
          step.update(i, count);
          return turn.of(both.get(name));
        });
  }

  /** Lets HDFS clients read a file in the DataNode's memory, each in a new process. */
  void readCachedFile(int readers) throws IOException {
    for (DemoCluster side : both.values()) {
      side.writeCachedFile(run);
    }
    Console.Step step = run.step("clients", "reads of 64 KiB of a cached file by HDFS clients");
    Map<String, List<Lines>> reads =
        turns(step, readers, 2, side -> side.readCachedFile(pace.slice / 2));
    step.done(table.add("read of a cached file", Map.of(), READS, reads));
  }

  /** Lets clients write files while one of the DataNode's disks is slow. */
  void writeBesideSlowDisk() throws IOException {
    Console.Step step = run.step("slices", "writes of files while a disk is slow");
    both.values().forEach(side -> side.slowDisk(true));
    turns(step, pace.warmUps, 0, side -> side.writeFiles(pace.slice));
    Map<String, List<FileWrites>> writes =
        turns(step, pace.groups, 1, side -> side.writeFiles(pace.slice));
    both.values().forEach(side -> side.slowDisk(false));
    step.done(table.add("write beside a slow disk", Map.of(), WRITES, writes));
  }

  /** Restarts both RegionServers at once, after their caches got the table again. */
  void restart() throws IOException {
    Console.Step step = run.step("", "restart of the RegionServers");
    for (DemoCluster side : both.values()) {
      side.fill();
    }
    Stream<CompletableFuture<Void>> restarts =
        both.values().stream()
            .map(side -> CompletableFuture.runAsync(side.cluster.regionServer()::restart));
    Pause.await(CompletableFuture.allOf(restarts.toArray(CompletableFuture[]::new)));
    step.done("");
  }

  void readAfterRestart() throws IOException {
    RequestLoad.Request gets = new Requests(shape, 0).multiGet(BATCH);
    String what = "gets of 100 rows each, right after the restart";
    read(new Work("multi-get after a restart", what, gets, THREADS), 0);
  }

  /** Counts the memory of each side's cache. */
  void count() throws IOException {
    Console.Step step = run.step("", "memory of the caches");
    Map<String, List<Lines>> counts = new LinkedHashMap<>();
    for (DemoCluster side : both.values()) {
      counts.put(side.name, List.of(side.countMemory(run)));
    }
    Map<String, String> once = Map.of(Measurement.COUNTED, "counted once");
    step.done(table.add("memory", once, MEMORY, counts));
  }

  /** Returns the bytes without a block for each cached block. */
  static double wastePerBlock(Lines lines) {
    double wasted = lines.median("block-cache.wasted") / 100;
    return lines.median("block-cache.wasted.block") * wasted / (1 - wasted);
  }

  /** Closes both clusters, also one that is still starting. */
  @Override
  public void close() throws IOException {
    for (CompletableFuture<DemoCluster> start : starts) {
      DemoCluster side = start.exceptionally(failure -> null).join();
      if (side != null) {
        side.close();
      }
    }
  }
}
