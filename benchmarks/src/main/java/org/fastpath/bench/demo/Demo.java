package org.fastpath.bench.demo;

import java.io.IOException;
import java.nio.file.Path;
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
  private static final List<Side> SIDES = List.of(Side.STOCK, Side.OURS);

  /** Of the rows: enough for the JIT to have compiled what the parts run through. */
  private static final double WARM_UP_SHARE = 0.3;

  private final Console console;
  private final WorkDirectory directory;
  private final Plan plan;
  private final Results.Builder results;
  private String phase = "start";

  /** How much is done, and how often. */
  record Plan(int rounds, DataTable.Shape shape) {}

  Demo(Console console, WorkDirectory directory, Plan plan, Environment environment) {
    this.console = console;
    this.directory = directory;
    this.plan = plan;
    this.results = Results.builder(TITLE, environment).candidate(Side.OURS.id());
  }

  /** Runs everything, prints the table, and writes the results and the page. */
  void run() throws IOException {
    try {
      rounds();
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException(
          "the demo failed (" + phase + "); logs are in " + directory.path(), e);
    }
    directory.deleteCluster();
    Results done = results.build();
    Path json = directory.resolve("demo.json");
    done.write(json);
    Path page = directory.resolve("demo.html");
    Report.write(page, List.of(json));
    console.print("\n" + new SideBySide(done, Side.STOCK.id(), Side.OURS.id()).render() + "\n");
    console.print(explanation());
    console.print("report:  " + page + "\nresults: " + json + "\n");
  }

  private String explanation() {
    return "A ratio above 1 means that ours is better; medians of "
        + plan.rounds()
        + (plan.rounds() == 1 ? " round" : " rounds")
        + ", with the lowest and the highest ratio.\n\n";
  }

  private void rounds() throws IOException {
    try (Testbed testbed = new Testbed(directory.cluster(), Map.of(), console::line)) {
      for (int round = 0; round < plan.rounds(); round++) {
        List<Side> order = new ArrayList<>(SIDES);
        Collections.rotate(order, round);
        for (Side side : order) {
          pass(testbed, side, round);
        }
      }
      phase = "stop";
    }
  }

  private void pass(Testbed testbed, Side side, int round) throws IOException {
    String label = side.id() + ", round " + (round + 1) + " of " + plan.rounds();
    phase = label + ", restart of RegionServer and DataNode";
    testbed.use(side);
    describe(testbed, side);
    DemoRun run =
        new DemoRun(
            testbed,
            side,
            label,
            new DataTable(testbed, "demo"),
            plan.shape(),
            console,
            results,
            directory.path());
    warmUp(run);
    parts(run, label);
  }

  private void describe(Testbed testbed, Side side) throws IOException {
    String provider =
        testbed.provider().map(name -> "; CRC32C is computed by provider " + name).orElse("");
    results.describe(side.id(), side.description() + provider);
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
