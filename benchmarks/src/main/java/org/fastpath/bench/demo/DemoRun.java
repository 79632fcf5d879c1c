package org.fastpath.bench.demo;

import java.io.IOException;
import java.util.Map;
import org.fastpath.bench.results.FlameGraph;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.DataTable;
import org.fastpath.bench.workload.Side;
import org.fastpath.bench.workload.Testbed;
import org.fastpath.bench.workload.Usage;
import org.fastpath.bench.workload.WorkDirectory;

/**
 * One pass of all parts over one side: what the parts work on, and where their figures go.
 *
 * @param testbed the cluster, on this side now
 * @param side the side
 * @param label the side and the round, for progress
 * @param table the table that {@link LoadPart} fills and the others use
 * @param shape its size
 * @param console progress
 * @param results figures
 * @param directory where files for the report go
 * @param counts whether the figures are shown; not so in the warm-up
 */
public record DemoRun(
    Testbed testbed,
    Side side,
    String label,
    DataTable table,
    DataTable.Shape shape,
    Console console,
    Results.Builder results,
    WorkDirectory directory,
    boolean counts) {

  private static final double MILLIS_PER_THOUSAND_ROWS = 1e6;

  /** Begins a step that is shown under this side's name. */
  public Console.Step step(String title, String unit) {
    return console.step(label + ", " + title, unit);
  }

  /** Measures what a piece of work costs the servers. */
  public Usage measure(Usage.Work work) throws IOException {
    return testbed.measure(work);
  }

  /** Adds a figure of this side and round to a row of the table, as one value or several. */
  public void row(String name, String unit, double... values) {
    results.round(name, Map.of(), side.id(), unit, values);
  }

  /**
   * Measures work on rows several times, and adds the two rows that every such work has: how fast,
   * and at what cost.
   */
  public void rows(String title, int rows, int times, Rows work) throws IOException {
    double[] rate = new double[times];
    double[] cpu = new double[times];
    for (int i = 0; i < times; i++) {
      Console.Step step = step(title, "rows");
      Usage usage = measure(() -> work.run(step::update));
      step.done(rows);
      rate[i] = rows / usage.wallSeconds();
      cpu[i] = usage.cpuSeconds() * MILLIS_PER_THOUSAND_ROWS / rows;
    }
    row(title + ": rate", "rows/s", rate);
    row(title + ": RegionServer CPU per 1,000 rows", "ms", cpu);
  }

  /** Work on rows, which tells how far it is. */
  @FunctionalInterface
  public interface Rows {
    /** Does it. */
    void run(DataTable.Listener listener) throws IOException;
  }

  /** Adds a flame graph that lies in the {@link #directory};. */
  public void flameGraph(String title, String file) {
    results.flameGraph(new FlameGraph(title, side.id(), file));
  }

  /** The same side with less work, whose figures nobody sees. */
  DemoRun warmUp(DataTable table, DataTable.Shape shape) {
    return new DemoRun(
        testbed,
        side,
        label,
        table,
        shape,
        Console.silent(),
        Results.builder("warm-up", null),
        directory,
        false);
  }
}
