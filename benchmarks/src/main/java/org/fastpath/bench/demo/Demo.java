package org.fastpath.bench.demo;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hbase.thirdparty.com.google.common.collect.Maps;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Pause;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.DataTable;
import org.fastpath.bench.engine.cluster.FileWrites;
import org.fastpath.bench.engine.cluster.Meters;
import org.fastpath.bench.engine.cluster.RequestLoad;
import org.fastpath.bench.engine.cluster.Requests;
import org.fastpath.bench.engine.cluster.Usage;
import org.fastpath.bench.engine.cluster.Window;
import org.fastpath.bench.engine.results.Comparison;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Demonstrates the jars. Two clusters run side by side: stock HBase at its best, and ours with
 * every module. Work alternates between them in slices, in random order. So a disturbance of the
 * machine affects both. Each row has a verdict, which an interval decides (see {@link Comparison}).
 */
@Command(
    name = "demo",
    header = "Demo: HBase as published, and with our jars in front",
    description =
        "Runs two clusters side by side, stock HBase and ours. Work alternates between them in"
            + " slices of about a second. Prints a table with a verdict for each row.")
@Experiment.Quick(
    "--groups 2 --slice 300 --warm-up 1 --rows 20000 --compactions 1 --compacted 8 --readers 1")
public final class Demo extends Experiment {
  private static final long SEED = 2026;
  private static final int FILES = 4;
  private static final int VALUE_BYTES = 100;
  private static final int LARGE_VALUE_BYTES = 1_000;
  private static final int GETS_PER_SCAN = 256;
  private static final double ZIPF = 0.99;
  private static final int COUNTERS_MILLIS = 1_100;
  static final int SCAN_ROWS = 1000;

  /**
   * The figures while all blocks are cached. CPU time is first, because the client's share of the
   * machine hides the server's part of the rate.
   */
  private static final List<Figure<Window>> CACHED = List.of(Window.CPU, Window.RATE, Window.P99);

  /** The figures of a table that is larger than the cache. */
  private static final List<Figure<Window>> PARTLY_CACHED =
      List.of(Window.CPU, Window.P99, Window.POINT_HIT);

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

  @Option(names = "--groups", description = "Slices of each side for each kind of work.")
  private int groups = 10;

  @Option(names = "--slice", description = "Milliseconds of a slice.")
  private int slice = 800;

  @Option(
      names = "--warm-up",
      converter = Options.NotNegative.class,
      description = "Slices of each side before the measurement.")
  private int warmUp = 3;

  @Option(names = "--rows", description = "Rows of the table.")
  private int rows = 400_000;

  @Option(
      names = "--compactions",
      description = "Major compactions on each side; 0 also omits the large table.")
  private int compactions = 8;

  @Option(
      names = "--compacted",
      description = "Megabytes of the large table, which major compactions rewrite.")
  private int compacted = 600;

  @Option(names = "--readers", description = "HDFS clients on each side, one after another.")
  private int readers = 8;

  @Option(
      names = "--sides",
      split = ",",
      description = "Two sides: stock, ours. With stock,stock no row should have a verdict.")
  private List<String> variants = List.of("stock", "ours");

  @Override
  protected void check() {
    atLeast("--groups", 1, groups);
    atLeast("--slice", 100, slice);
    atLeast("--rows", 2000, rows);
    atLeast("--compactions", 0, compactions);
    atLeast("--compacted", 1, compacted);
    atLeast("--readers", 0, readers);
    if (variants.size() != 2) {
      throw refusal("--sides has " + variants.size() + " names; the demo compares two");
    }
    chosen("side", variants, List.of("stock", "ours"), Function.identity());
  }

  private DataTable.Shape shape() {
    return new DataTable.Shape(rows, VALUE_BYTES, FILES);
  }

  @Override
  protected void run(Run run) throws IOException {
    String base = variants.get(0);
    String ours = variants.get(1).equals(base) ? "once more" : variants.get(1);
    run.results().candidate(ours);
    Rows table = new Rows(run, base, ours);
    try (DemoCluster one = new DemoCluster(run, base, variants.get(0).equals("ours"), shape());
        DemoCluster two = new DemoCluster(run, ours, variants.get(1).equals("ours"), shape())) {
      Map<String, DemoCluster> both = Maps.uniqueIndex(List.of(one, two), side -> side.name);
      for (Work work : works()) {
        measure(run, both, work, warmUp, table);
      }
      if (compactions > 0) {
        readLarge(run, both, table);
        compact(run, both, table);
      }
      if (!run.directory().hasRoomForSockets()) {
        run.console().line("no reads of a cached file: for them set a shorter --out");
      } else if (readers > 0) {
        read(run, both, table);
      }
      write(run, both, table);
      restart(run, both);
      measure(run, both, afterRestart(), 0, table);
    } finally {
      run.console().print("\n" + table.text());
    }
  }

  private void measure(Run run, Map<String, DemoCluster> both, Work work, int warmUps, Rows table)
      throws IOException {
    Console.Step step = run.step("slices", work.what());
    try (Meters meters = new Meters()) {
      for (DemoCluster variant : both.values()) {
        TableName name = variant.table.name();
        meters.add(
            variant.name, variant.cluster, name, work.request(), work.threads(), SEED, false);
      }
      meters.slices(step, warmUps, SEED, slice);
      Map<String, List<Window>> windows = meters.slices(step, groups, SEED + 1, slice);
      meters.stop();
      step.done(table.add(work.name(), CACHED, windows));
    }
  }

  /** Lets clients get rows of a table that is larger than the cache, some much more often. */
  private void readLarge(Run run, Map<String, DemoCluster> both, Rows table) throws IOException {
    DataTable.Shape large = DataTable.Shape.ofMegabytes(compacted, LARGE_VALUE_BYTES);
    RequestLoad.Request gets = new Requests(large, ZIPF).getBesideScans(GETS_PER_SCAN, SCAN_ROWS);
    try (Meters meters = new Meters()) {
      for (DemoCluster variant : both.values()) {
        TableName name = variant.load(run, large).name();
        meters.add(variant.name, variant.cluster, name, gets, 4, SEED, true);
      }
      Console.Step step = run.step("slices", "gets from a table larger than the cache");
      int millis = Math.max(slice, COUNTERS_MILLIS);
      meters.slices(step, warmUp, SEED, millis);
      Map<String, List<Window>> windows = meters.slices(step, groups, SEED + 1, millis);
      meters.stop();
      step.done(table.add("get from a third of a table, beside scans", PARTLY_CACHED, windows));
    }
  }

  private void compact(Run run, Map<String, DemoCluster> both, Rows table) throws IOException {
    for (DemoCluster variant : both.values()) {
      variant.keepFiles();
    }
    Console.Step step = run.step("compactions", "major compactions");
    Interleaved.Slice<String, Usage> compaction =
        (name, i) -> {
          step.update(i, compactions);
          return both.get(name).compact();
        };
    Interleaved.slices(both.keySet(), Math.min(2, compactions), SEED, compaction);
    Map<String, List<Usage>> usages =
        Interleaved.slices(both.keySet(), compactions, SEED + 1, compaction);
    step.done(table.add("major compaction", COMPACTION, usages));
  }

  /** Lets HDFS clients read a file in the DataNode's memory, each in a new process. */
  private void read(Run run, Map<String, DemoCluster> both, Rows table) throws IOException {
    for (DemoCluster variant : both.values()) {
      variant.writeCachedFile(run);
    }
    Console.Step step = run.step("clients", "reads of 64 KiB of a cached file by HDFS clients");
    Interleaved.Slice<String, Lines> client =
        (name, i) -> {
          step.update(i, readers);
          return both.get(name).readCachedFile(slice / 2);
        };
    Map<String, List<Lines>> reads = Interleaved.slices(both.keySet(), readers, SEED + 2, client);
    step.done(table.add("read of a cached file", READS, reads));
  }

  /** Lets clients write files while one of the DataNode's disks is slow. */
  private void write(Run run, Map<String, DemoCluster> both, Rows table) throws IOException {
    Console.Step step = run.step("slices", "writes of files while a disk is slow");
    both.values().forEach(variant -> variant.slowDisk(true));
    Interleaved.Slice<String, FileWrites> files =
        (name, i) -> {
          step.update(i, groups);
          return both.get(name).writeFiles(slice);
        };
    Interleaved.slices(both.keySet(), warmUp, SEED, files);
    Map<String, List<FileWrites>> writes =
        Interleaved.slices(both.keySet(), groups, SEED + 1, files);
    both.values().forEach(variant -> variant.slowDisk(false));
    step.done(table.add("write beside a slow disk", WRITES, writes));
  }

  /** Restarts both RegionServers at once, after their caches got the table again. */
  private static void restart(Run run, Map<String, DemoCluster> both) throws IOException {
    Console.Step step = run.step("", "restart of the RegionServers");
    for (DemoCluster variant : both.values()) {
      variant.fill();
    }
    Stream<CompletableFuture<Void>> restarts =
        both.values().stream()
            .map(one -> CompletableFuture.runAsync(one.cluster.regionServer()::restart));
    Pause.await(CompletableFuture.allOf(restarts.toArray(CompletableFuture[]::new)));
    step.done("");
  }

  private record Work(String name, String what, RequestLoad.Request request, int threads) {}

  private Work afterRestart() {
    String what = "gets of 100 rows each, right after the restart";
    return new Work("multi-get after a restart", what, new Requests(shape(), 0).multiGet(100), 4);
  }

  private List<Work> works() {
    Requests even = new Requests(shape(), 0);
    return List.of(
        new Work("get", "single gets of cached rows", even.get(), 4),
        new Work("multi-get", "gets of 100 cached rows each", even.multiGet(100), 4),
        new Work("short scan", "scans of 20 cached rows", even.scan(20, 1, 0), 4),
        new Work("scan", "scans of 1,000 cached rows", even.scan(SCAN_ROWS, 1, 0), 2),
        new Work(
            "filtered scan",
            "scans of 1,000 cached rows, all of which a filter drops",
            even.scan(SCAN_ROWS, 0, 0),
            2));
  }
}
