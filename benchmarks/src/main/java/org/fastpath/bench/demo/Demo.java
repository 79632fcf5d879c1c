package org.fastpath.bench.demo;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.fastpath.bench.demo.SideBySide.Work;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.DataTable;
import org.fastpath.bench.engine.cluster.Requests;
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
            + " slices of half a second or more. Prints a table with a verdict for each row.")
@Experiment.Quick(
    "--groups 2 --slice 300 --warm-up 1 --rows 20000 --compactions 1 --compacted 8 --readers 1")
public final class Demo extends Experiment {
  static final int SCAN_ROWS = 1000;
  private static final int FILES = 4;
  private static final int VALUE_BYTES = 100;
  private static final int LARGE_VALUE_BYTES = 1_000;

  @Option(names = "--groups", description = "Slices of each side for most kinds of work.")
  private int groups = 10;

  @Option(names = "--slice", description = "Milliseconds of most slices.")
  private int slice = 500;

  @Option(
      names = "--warm-up",
      converter = Options.NotNegative.class,
      description = "Slices of each side before most measurements.")
  private int warmUp = 4;

  @Option(names = "--rows", description = "Rows of the table.")
  private int rows = 400_000;

  @Option(
      names = "--compactions",
      description = "Major compactions on each side; 0 also omits the large table.")
  private int compactions = 12;

  @Option(
      names = "--compacted",
      description = "Megabytes of the large table, which major compactions rewrite.")
  private int compacted = 600;

  @Option(names = "--readers", description = "HDFS clients on each side, one after another.")
  private int readers = 5;

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
    SideBySide.Pace pace = new SideBySide.Pace(groups, slice, warmUp);
    Rows table = new Rows(run);
    try (SideBySide sides = new SideBySide(run, table, pace, variants, shape())) {
      for (Work work : works()) {
        sides.read(work);
        if (work.name().equals("multi-get")) {
          sides.profile(work);
        }
      }
      sides.readMetered(new DataTable.Shape(Math.min(rows, 50_000), VALUE_BYTES, 1));
      if (compactions > 0) {
        sides.readLarge(DataTable.Shape.ofMegabytes(compacted, LARGE_VALUE_BYTES));
        sides.compact(compactions, compacted);
      }
      if (!run.directory().hasRoomForSockets()) {
        run.console().line("no reads of a cached file: for them set a shorter --out");
      } else if (readers > 0) {
        sides.readCachedFile(readers);
      }
      sides.writeBesideSlowDisk();
      sides.readAfterRestart();
      sides.count();
    } finally {
      run.console().print("\n" + table.text());
    }
  }

  private List<Work> works() {
    Requests even = new Requests(shape(), 0);
    return List.of(
        new Work("multi-get", "gets of 100 cached rows each", even.multiGet(100), 4, groups),
        new Work("scan", "scans of 1,000 cached rows", even.scan(SCAN_ROWS, 1, 0), 2, groups),
        new Work(
            "filtered scan", "scans, all rows filtered", even.scan(SCAN_ROWS, 0, 0), 2, groups),
        // The last ones: the JIT needs most time for little work, and small effects more slices.
        new Work("short scan", "scans of 20 cached rows", even.scan(20, 1, 0), 2, 2 * groups),
        new Work("get", "single gets of cached rows", even.get(), 4, 2 * groups));
  }
}
