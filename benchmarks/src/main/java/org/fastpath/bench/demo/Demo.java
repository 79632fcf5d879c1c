package org.fastpath.bench.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.fastpath.bench.report.Report;
import org.fastpath.bench.results.Environment;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.DataTable;
import org.fastpath.bench.workload.Side;
import org.fastpath.bench.workload.Testbed;
import org.fastpath.bench.workload.WorkDirectory;

/**
 * Shows what the jars do: the same work on a stock cluster and on one with our jars in front,
 * alternating, several rounds, each with a RegionServer and a DataNode that were just started.
 */
final class Demo {
  private static final String TITLE = "Demo: HBase as published and with our jars in front";

  /** A block cache off the heap is this part of the table. */
  private static final int CACHE_PART = 2;

  /**
   * BucketCache wants 2 MB for each of its fourteen sizes of blocks, and has little left of less.
   */
  private static final int LEAST_CACHE_MEGABYTES = 64;

  /** Of the rows: enough for the JIT to have compiled what the parts run through. */
  private static final double WARM_UP_SHARE = 0.3;

  private final Console console;
  private final WorkDirectory directory;
  private final Plan plan;
  private final Results.Builder results;
  private String phase = "start";

  /**
   * How much is done.
   *
   * @param rounds how often each side runs, at most
   * @param shape the table
   * @param warmUp whether all parts are run once before they are measured
   * @param limit no round is begun that would probably end later
   */
  record Plan(int rounds, DataTable.Shape shape, boolean warmUp, Duration limit) {
    /** Both with a block cache off the heap, too small for the table. */
    List<Side> sides() {
      int half = (int) (shape.bytes() / CACHE_PART >> 20);
      int megabytes = Math.max(LEAST_CACHE_MEGABYTES, half);
      return List.of(Side.STOCK.withBucketCache(megabytes), Side.OURS.withOffHeapCache(megabytes));
    }
  }

  Demo(Console console, WorkDirectory directory, Plan plan, Environment environment) {
    this.console = console;
    this.directory = directory;
    this.plan = plan;
    this.results = Results.builder(TITLE, environment).candidate(Side.OURS.id());
  }

  /** Runs everything, prints the table, and writes the results and the page. */
  void run() throws IOException {
    int rounds;
    try {
      rounds = rounds();
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException(
          "the demo failed (" + phase + "); logs are in " + directory.cluster().resolve("logs"), e);
    }
    directory.deleteCluster();
    Results done = results.build();
    Path json = directory.resolve("demo.json");
    done.write(json);
    Path page = directory.resolve("demo.html");
    Report.write(page, List.of(json));
    console.print("\n" + new SideBySide(done, Side.STOCK.id(), Side.OURS.id()).render());
    console.print(explanation(rounds));
    console.print("report:  " + page + "\nresults: " + json + "\n");
  }

  private static String explanation(int rounds) {
    return "\nA ratio above 1: ours is better. "
        + (rounds == 1
            ? "One round: differences of some ten percent may be chance.\n\n"
            : "Medians of " + rounds + " rounds; spread: lowest and highest ratio.\n\n");
  }

  /** Returns how many rounds were run. */
  private int rounds() throws IOException {
    boolean shortCircuit = directory.hasRoomForSockets();
    if (!shortCircuit) {
      console.line("no short-circuit reads: the directory's path is too long for domain sockets");
    }
    Side first = plan.sides().get(0);
    try (Testbed testbed =
        new Testbed(directory.cluster(), first, Map.of(), shortCircuit, console::line)) {
      Duration longest = Duration.ZERO;
      for (int round = 0; round < plan.rounds(); round++) {
        Duration begin = console.sinceStart();
        if (round > 0 && begin.plus(longest).compareTo(plan.limit()) > 0) {
          console.line("no time for another round: " + round + " of " + plan.rounds() + " done");
          return round;
        }
        round(testbed, round);
        Duration taken = console.sinceStart().minus(begin);
        longest = taken.compareTo(longest) > 0 ? taken : longest;
      }
      return plan.rounds();
    }
  }

  private void round(Testbed testbed, int round) throws IOException {
    List<Side> order = new ArrayList<>(plan.sides());
    Collections.rotate(order, round);
    for (Side side : order) {
      pass(testbed, side, round);
    }
    phase = "after round " + (round + 1);
  }

  private void pass(Testbed testbed, Side side, int round) throws IOException {
    String label = side.id() + ", round " + (round + 1);
    phase = label + ", restart of RegionServer and DataNode";
    testbed.use(side);
    results.describe(side.id(), testbed.describe(side));
    DemoRun run =
        new DemoRun(
            testbed,
            side,
            label,
            new DataTable(testbed, "demo"),
            plan.shape(),
            console,
            results,
            directory,
            true);
    if (plan.warmUp()) {
      warmUp(run);
    }
    parts(run, label);
  }

  private void warmUp(DemoRun run) throws IOException {
    Console.Step step = run.step("warm-up", "");
    DataTable table = new DataTable(run.testbed(), "warm_up");
    parts(run.warmUp(table, run.shape().share(WARM_UP_SHARE)), run.label() + ", warm-up");
    step.done("all parts once, with less data");
  }

  private void parts(DemoRun run, String label) throws IOException {
    for (DemoPart part : DemoParts.all()) {
      phase = label + ", " + part.title();
      part.run(run);
    }
    phase = label + ", removal of the table";
    run.table().drop();
  }
}
