package org.fastpath.bench.demo;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hbase.thirdparty.com.google.common.collect.Maps;
import org.fastpath.bench.engine.Bootstrap;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.DataTable;
import org.fastpath.bench.engine.cluster.Meters;
import org.fastpath.bench.engine.cluster.RequestLoad;
import org.fastpath.bench.engine.cluster.Requests;
import org.fastpath.bench.engine.cluster.StoreFiles;
import org.fastpath.bench.engine.cluster.Testbed;
import org.fastpath.bench.engine.cluster.Usage;
import org.fastpath.bench.engine.cluster.Variant;
import org.fastpath.bench.engine.cluster.Window;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Demonstrates the jars. Two clusters run side by side: stock HBase at its best, and ours with all
 * compatible features. Work alternates between them in slices, in random order. So a disturbance of
 * the machine affects both. Each row has a verdict, which an interval decides (see {@link
 * Bootstrap}).
 */
@Command(
    name = "demo",
    header = "Demo: HBase as published, and with our jars in front",
    description =
        "Runs two clusters side by side, stock HBase and ours. Work alternates between them in"
            + " slices of a second. Prints a table with a verdict for each row.")
@Experiment.Quick("--groups 2 --slice 300 --warm-up 1 --rows 20000 --compactions 1")
public final class Demo extends Experiment {
  private static final long SEED = 2026;
  private static final int FILES = 4;
  private static final int VALUE_BYTES = 100;
  private static final int HEAP_MEGABYTES = 768;
  private static final int SCAN_ROWS = 1000;

  /**
   * The figures while all blocks are cached. CPU time is first, because the client's share of the
   * machine hides the server's part of the rate.
   */
  private static final List<Figure<Window>> CACHED = List.of(Window.CPU, Window.RATE, Window.P99);

  private static final List<Figure<Usage>> COMPACTION =
      List.of(
          Figure.low("RegionServer CPU", "s", Usage::cpuSeconds),
          Figure.low("DataNode CPU", "s", Usage::dataNodeSeconds),
          Figure.low("time", "s", Usage::wallSeconds));

  @Option(names = "--groups", description = "Slices of each side for each kind of work.")
  private int groups = 12;

  @Option(names = "--slice", description = "Milliseconds of a slice.")
  private int slice = 1000;

  @Option(
      names = "--warm-up",
      converter = Options.NotNegative.class,
      description = "Slices of each side before the measurement.")
  private int warmUp = 6;

  @Option(names = "--rows", description = "Rows of the table.")
  private int rows = 400_000;

  @Option(names = "--compactions", description = "Major compactions on each side.")
  private int compactions = 10;

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
    if (variants.size() != 2) {
      throw refusal("--sides has " + variants.size() + " names; the demo compares two");
    }
    chosen("side", variants, List.of("stock", "ours"), Function.identity());
  }

  private DataTable.Shape shape() {
    return new DataTable.Shape(rows, VALUE_BYTES, FILES);
  }

  /** Returns the size for the table's blocks, a copy to compact, and the cache's reserve. */
  private int cacheMegabytes() {
    return (int) (2.5 * rows * shape().rowBytes() / (1 << 20)) + 64;
  }

  private Variant variant(String name) {
    int cache = cacheMegabytes();
    return name.equals("stock")
        ? Variant.STOCK.withBucketCache(cache)
        : Variant.OURS.withOffHeapCache(cache).withReader();
  }

  @Override
  protected void run(Run run) throws IOException {
    String base = variants.get(0);
    String ours = variants.get(1).equals(base) ? "once more" : variants.get(1);
    run.results().candidate(ours);
    Rows table = new Rows(run, base, ours);
    try (DemoVariant one = new DemoVariant(run, base, variant(base));
        DemoVariant two = new DemoVariant(run, ours, variant(variants.get(1)))) {
      Map<String, DemoVariant> both = Maps.uniqueIndex(List.of(one, two), side -> side.name);
      for (Work work : works()) {
        measure(run, both, work, table);
      }
      if (compactions > 0) {
        compact(run, both, table);
      }
    } finally {
      run.console().print("\n" + table.text());
    }
  }

  private void measure(Run run, Map<String, DemoVariant> both, Work work, Rows table)
      throws IOException {
    Console.Step step = run.step("slices", work.what());
    try (Meters meters = new Meters()) {
      for (DemoVariant variant : both.values()) {
        TableName name = variant.table.name();
        meters.add(variant.name, variant.testbed, name, work.request(), work.threads(), SEED);
      }
      meters.slices(step, warmUp, SEED, slice);
      Map<String, List<Window>> windows = meters.slices(step, groups, SEED + 1, slice);
      meters.stop();
      step.done(table.add(work.name(), CACHED, windows));
    }
  }

  private void compact(Run run, Map<String, DemoVariant> both, Rows table) throws IOException {
    Console.Step step = run.step("compactions", "major compactions");
    Interleaved.Slice<String, Usage> compaction =
        (name, i) -> {
          step.update(i, compactions);
          return both.get(name).compact();
        };
    Interleaved.slices(both.keySet(), Math.min(warmUp, compactions), SEED, compaction);
    Map<String, List<Usage>> usages =
        Interleaved.slices(both.keySet(), compactions, SEED + 1, compaction);
    step.done(table.add("major compaction", COMPACTION, usages));
  }

  /**
   * One of the two clusters of the demo. Both run during the whole demo. Each has a table of cached
   * rows and copies of it for compactions.
   */
  private final class DemoVariant implements AutoCloseable {
    private final String name;
    private final Testbed testbed;
    private final DataTable table;
    private final StoreFiles files;

    DemoVariant(Run run, String name, Variant variant) throws IOException {
      this.name = name;
      boolean shortCircuit = run.directory().hasRoomForSockets();
      testbed =
          new Testbed(
              run,
              name,
              variant,
              Testbed.memory(HEAP_MEGABYTES, cacheMegabytes()),
              builder -> builder.shortCircuit(shortCircuit).quickClose());
      try {
        testbed.use(variant.as(name), run.results());
        table = new DataTable(testbed, "demo");
        table.create();
        Console.Step step = run.step("rows", name, "load");
        table.load(shape(), Durability.USE_DEFAULT, step);
        step.done(rows);
        files = new StoreFiles(testbed, table);
        table.majorCompact();
        if (variant.conf().containsKey(Variant.READER)) {
          table.attribute(Variant.READER, true);
        }
        try (Table open = testbed.connection().getTable(table.name())) {
          new Requests(shape(), 0).fill(open, SCAN_ROWS);
        }
      } catch (IOException | RuntimeException | Error e) {
        testbed.close();
        throw e;
      }
    }

    /** Runs a major compaction of a copy of the table in its first store files. */
    Usage compact() throws IOException {
      DataTable copy = files.newTable();
      Usage usage = Usage.of(testbed, () -> copy.majorCompact());
      files.takeBack(copy);
      return usage;
    }

    @Override
    public void close() throws IOException {
      testbed.close();
    }
  }

  private record Work(String name, String what, RequestLoad.Request request, int threads) {}

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
