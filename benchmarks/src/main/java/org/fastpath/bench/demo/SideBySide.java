package org.fastpath.bench.demo;

import static java.util.concurrent.CompletableFuture.supplyAsync;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
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
  private static final int BATCH = 100;
  private static final int GETS_PER_SCAN = 256;
  private static final double ZIPF = 0.99;

  /** Slices with the server's counters, which are up to a second old. */
  private static final int COUNTED_MILLIS = 1_100;

  private static final Map<String, String> ONCE = Map.of(Measurement.START, "once");

  /**
   * The figures while all blocks are cached. CPU time is first, because the client's share of the
   * machine hides the server's part of the rate.
   */
  private static final List<Figure<Window>> CACHED = List.of(Window.CPU, Window.RATE, Window.P99);

  /** The figures of a table that is larger than the cache. */
  private static final List<Figure<Window>> PARTLY_CACHED =
      List.of(Window.CPU, Window.P99, Figure.high("hit ratio", "%", Window.POINT_HIT::of));

  private final Run run;
  private final Rows table;
  private final Pace pace;
  private final DataTable.Shape shape;
  private final List<CompletableFuture<DemoCluster>> starts = new ArrayList<>();
  private final Map<String, DemoCluster> both = new LinkedHashMap<>();

  /** The number of slices of each side, their milliseconds, and the slices before them. */
  record Pace(int groups, int slice, int warmUps) {}

  /** A kind of reads, words for the progress, and the number of slices. */
  record Work(String name, String what, RequestLoad.Request reads, int threads, int groups) {}

  /** Starts a cluster for each variant, stock or ours, at once. Loads a table that is cached. */
  SideBySide(Run run, Rows table, Pace pace, List<String> variants, DataTable.Shape shape)
      throws IOException {
    this.run = run;
    this.table = table;
    this.pace = pace;
    this.shape = shape;
    String base = variants.get(0);
    String second = variants.get(1).equals(base) ? "again" : variants.get(1);
    run.results().candidate(second);
    boolean ours = variants.get(1).equals("ours");
    starts.add(supplyAsync(() -> new DemoCluster(run, base, base.equals("ours"), shape)));
    starts.add(supplyAsync(() -> new DemoCluster(run, second, ours, shape)));
    try {
      // Stock loads while our RegionServer still warms up.
      Interleaved.together(starts, start -> Pause.await(start).load(run));
      for (CompletableFuture<DemoCluster> start : starts) {
        DemoCluster side = start.join();
        side.describe(run);
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
    read(work, pace.warmUps, pace.slice, ONCE);
  }

  private void read(Work work, int warmUps, int millis, Map<String, String> params)
      throws IOException {
    Console.Step step = run.step("slices", work.what);
    Map<String, List<Window>> windows =
        slices(step, work, side -> side.table, warmUps, millis, false);
    step.done(table.add(work.name, params, CACHED, windows));
  }

  /** Measures slices, with or without the server's counters. */
  private Map<String, List<Window>> slices(
      Console.Step step,
      Work work,
      Function<DemoCluster, DataTable> tables,
      int warmUps,
      int millis,
      boolean counters)
      throws IOException {
    try (Meters meters = new Meters()) {
      for (DemoCluster side : both.values()) {
        TableName name = tables.apply(side).name();
        meters.add(side.name, side.cluster, name, work.reads, work.threads, SEED, counters);
      }
      meters.slices(step, warmUps, SEED, millis);
      Map<String, List<Window>> windows = meters.slices(step, work.groups, SEED + 1, millis);
      meters.stop();
      return windows;
    }
  }

  /** Samples both RegionServers while they answer; says so where the machine does not allow it. */
  void profile(Work work) {
    String title = work.name + ": CPU of the RegionServer";
    try {
      for (DemoCluster side : both.values()) {
        RequestLoad clients =
            new RequestLoad(
                side.cluster.connection(), side.table.name(), work.reads, THREADS, SEED);
        CollapsedStacks.ofReads(run, side.cluster, title, side.name, clients);
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
    Map<String, List<Window>> windows = Interleaved.lists(names);
    for (int half = 0; half < 2; half++) {
      tables.cast(half, RegionMeter.TABLE_ATTRIBUTE, ours.name);
      tables.fill(Demo.SCAN_ROWS);
      int seconds = Math.max(1, pace.groups * pace.slice / 2000);
      RequestLoad.Request gets = new Requests(rows, 0).get();
      tables
          .measure(gets, THREADS, seconds, "single gets, without and with latencies")
          .forEach((name, own) -> windows.get(name).addAll(own));
      ours.cluster.awaitObserved(tables.of(ours.name), List.of(tables.of(without)));
    }
    table.add("get with latencies", Map.of(), List.of(Window.CPU), windows);
  }

  /**
   * Gets rows of a table that is larger than the cache, some much more often. The caches learn
   * which from a hundred thousand rows, because they still have those of other tables. Multi-gets
   * read these rows in less time. Then the JIT needs many slices for the code of misses.
   */
  void readLarge(DataTable.Shape rows) throws IOException {
    Interleaved.together(both.values(), side -> side.loadLarge(run, rows));
    Requests often = new Requests(rows, ZIPF);
    String what = "gets and scans, a third cached";
    Work learning = new Work("", what, often.multiGet(BATCH), THREADS, 0);
    RequestLoad.Request gets = often.getBesideScans(GETS_PER_SCAN, Demo.SCAN_ROWS);
    Work work = new Work("get, a third cached", what, gets, THREADS, pace.groups * 3 / 2);
    Console.Step step = run.step("slices", what);
    Function<DemoCluster, DataTable> large = side -> side.large;
    slices(step, learning, large, 2 * pace.warmUps, pace.slice, false);
    int millis = Math.max(pace.slice, COUNTED_MILLIS);
    Map<String, List<Window>> windows =
        slices(step, work, large, 5 * pace.warmUps / 2, millis, true);
    step.done(table.add(work.name, ONCE, PARTLY_CACHED, windows));
  }

  /** Rewrites the files of that table, which has so many megabytes. */
  void compact(int compactions, int megabytes) throws IOException {
    Console.Step step = run.step("compactions", "major compactions");
    Interleaved.together(both.values(), side -> side.keepFiles(run, megabytes));
    turns(step, Math.min(3, compactions), 0, this::compact);
    Map<String, List<Usage>> usages = turns(step, compactions, 1, this::compact);
    Interleaved.together(both.values(), DemoCluster::takeBack);
    step.done(table.add("major compaction", ONCE, DemoCluster.COMPACTION, usages));
  }

  /** Compacts one side. Before the first compaction of a pair, both sides get new tables. */
  private Usage compact(DemoCluster side) throws IOException {
    if (!side.isNew) {
      Interleaved.together(both.values(), DemoCluster::renew);
    }
    return side.compact();
  }

  private <W> Map<String, List<W>> turns(
      Console.Step step, int count, int seed, FunctionRaisingIOE<DemoCluster, W> turn)
      throws IOException {
    return Interleaved.slices(
        both.keySet(),
        count,
        SEED + seed,
        (name, i) -> {
          step.update(i, count);
          return turn.apply(both.get(name));
        });
  }

  /** Lets HDFS clients, each a new process, read a file in the DataNode's memory. */
  void readCachedFile(int readers) throws IOException {
    Interleaved.together(both.values(), side -> side.writeCachedFile(run));
    Console.Step step = run.step("clients", "reads of 64 KiB of a cached file by HDFS clients");
    Map<String, List<Lines>> reads =
        turns(step, readers, 2, side -> side.readCachedFile(pace.slice / 2));
    step.done(table.add("read of a cached file", ONCE, DemoCluster.READS, reads));
  }

  /** Lets clients write files while one of the DataNode's disks is slow. */
  void writeBesideSlowDisk() throws IOException {
    Console.Step step = run.step("slices", "writes of files while a disk is slow");
    both.values().forEach(side -> side.slowDisk(true));
    turns(step, pace.warmUps / 2, 0, side -> side.writeFiles(pace.slice));
    Map<String, List<FileWrites>> writes =
        turns(step, pace.groups, 1, side -> side.writeFiles(pace.slice));
    both.values().forEach(side -> side.slowDisk(false));
    step.done(table.add("write beside a slow disk", ONCE, DemoCluster.WRITES, writes));
  }

  /**
   * Restarts both RegionServers at once, and reads the table that was cached before. Other work has
   * used the caches, so they get the table again.
   */
  void readAfterRestart() throws IOException {
    RequestLoad.Request gets = new Requests(shape, 0).multiGet(BATCH);
    String what = "gets of 100 rows each, right after the restart";
    Work work = new Work("multi-get after a restart", what, gets, THREADS, pace.groups);
    Work warmUp = new Work("", "gets before the restart", gets, THREADS, 0);
    Console.Step before = run.step("slices", warmUp.what);
    Interleaved.together(both.values(), DemoCluster::fill);
    slices(before, warmUp, side -> side.table, pace.warmUps, pace.slice, false);
    Console.Step step = run.step("", "restart of the RegionServers");
    Interleaved.together(both.values(), side -> side.cluster.regionServer().restart());
    step.done("");
    read(work, 0, pace.slice / 2, Map.of(Measurement.START, "just now"));
  }

  /** Counts the memory of each side's cache. */
  void count() throws IOException {
    Console.Step step = run.step("", "memory of the caches");
    Map<String, List<Lines>> counts = Interleaved.lists(both.keySet());
    Interleaved.together(both.values(), side -> counts.get(side.name).add(side.countMemory(run)));
    Map<String, String> once = Map.of(Measurement.COUNTED, "counted once");
    step.done(table.add("memory", once, DemoCluster.MEMORY, counts));
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
