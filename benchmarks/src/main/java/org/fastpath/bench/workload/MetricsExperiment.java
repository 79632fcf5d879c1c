package org.fastpath.bench.workload;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Durability;
import org.fastpath.bench.Interleaved;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.results.Series;

/**
 * What counts and latencies per region cost the RegionServer in gets and scans, with everything in
 * the block cache, so that nothing hides it.
 *
 * <p><b>By table</b>, the usual way. One RegionServer has three tables of the same rows: one whose
 * regions have latencies, two whose attributes say that they have none. Slices of a tenth of a
 * second alternate between them, so that all see the same machine, the same compiled code and the
 * same heap; only so can a difference of less than a percent be told from chance. The second table
 * without is the control: what it seems to cost more than the first is what chance does. In a round
 * each table plays each part once, so that no table's place in memory speaks for a side.
 *
 * <p><b>By process</b>, as a check of the first. Stock, with the jar and latencies of all regions,
 * and stock once more, each in a RegionServer of its own that was just started and warmed up.
 * Nothing is shared, so that also what our subclass of HBase's region changes for the JIT is
 * counted; but the JIT decides anew at each start, and the control shows how much that alone makes.
 */
final class MetricsExperiment {
  /** The side that the others are compared with. */
  static final String BASELINE = "off";

  /** The side with metrics. */
  static final String OBSERVED = "on";

  /** The side that differs from the baseline by chance only. */
  static final String CONTROL = "control";

  private static final List<String> SIDES = List.of(BASELINE, OBSERVED, CONTROL);
  private static final List<Side> SERVERS =
      List.of(Side.METRICS_OFF, Side.METRICS_ON, Side.METRICS_CONTROL);

  /** Groups of slices after a region was opened that are not counted. */
  private static final int SETTLING_GROUPS = 10;

  private final Plan plan;
  private final Console console;
  private final WorkDirectory directory;
  private final Results.Builder results;

  /**
   * How much is done.
   *
   * @param byProcess whether each side has a process of its own
   * @param rounds how often each side is measured
   * @param seconds how long each side and kind of reads is measured in a round
   * @param warmUpSeconds how long each kind of reads warms a new RegionServer up
   * @param slice how long sides take turns
   * @param threads how many threads get rows
   * @param shape the tables
   * @param reads the kinds of reads
   */
  record Plan(
      boolean byProcess,
      int rounds,
      int seconds,
      int warmUpSeconds,
      Duration slice,
      int threads,
      DataTable.Shape shape,
      List<Reads> reads) {

    Map<String, String> params() {
      Map<String, String> params = new LinkedHashMap<>();
      params.put("sides", byProcess ? "by process" : "by table");
      params.put("rows", Integer.toString(shape.rows()));
      params.put("value bytes", Integer.toString(shape.valueBytes()));
      params.put("threads", Integer.toString(threads));
      return params;
    }
  }

  MetricsExperiment(Plan plan, Console console, WorkDirectory directory, Results.Builder results) {
    this.plan = plan;
    this.console = console;
    this.directory = directory;
    this.results = results;
  }

  /** Runs it; the figures are in the results then. */
  void run() throws IOException {
    try (Testbed testbed =
            new Testbed(directory.cluster(), Side.STOCK, Map.of(), false, console::line);
        CachedReads reads =
            new CachedReads(
                testbed, plan.shape().rows(), plan.shape().valueBytes(), plan.threads())) {
      ReadMeter meter = new ReadMeter(testbed, reads, plan.slice());
      if (plan.byProcess()) {
        byProcess(testbed, meter);
      } else {
        byTable(testbed, meter);
      }
    }
  }

  private void byTable(Testbed testbed, ReadMeter meter) throws IOException {
    testbed.use(Side.METRICS_ON);
    results.describe(BASELINE, "a table whose attribute says that its regions are not shown");
    results.describe(OBSERVED, "a table with latencies of its regions, in the same RegionServer");
    results.describe(CONTROL, "another table without them: what chance does");
    List<DataTable> tables = new ArrayList<>();
    for (int i = 1; i <= SIDES.size(); i++) {
      tables.add(load(testbed, "metrics_" + i));
    }
    warmUp(meter, cast(tables, 0), "warm-up", true);
    for (int round = 0; round < plan.rounds(); round++) {
      ReadCosts costs = new ReadCosts();
      for (int part = 0; part < SIDES.size(); part++) {
        String label = "round " + (round + 1) + " of " + plan.rounds() + ", part " + (part + 1);
        Map<String, DataTable> roles = cast(tables, part);
        measure(meter, roles, costs, plan.seconds() / SIDES.size(), label);
        confirm(testbed, roles);
      }
      record(costs);
    }
  }

  /** Which table plays which side. */
  private Map<String, DataTable> cast(List<DataTable> tables, int part) throws IOException {
    Map<String, DataTable> roles = new LinkedHashMap<>();
    for (int i = 0; i < SIDES.size(); i++) {
      DataTable table = tables.get((i + part) % tables.size());
      table.observe(SIDES.get(i).equals(OBSERVED));
      roles.put(SIDES.get(i), table);
    }
    return roles;
  }

  private static void confirm(Testbed testbed, Map<String, DataTable> roles) throws IOException {
    testbed.confirmObserved(roles.get(OBSERVED), List.of(roles.get(BASELINE), roles.get(CONTROL)));
  }

  private void byProcess(Testbed testbed, ReadMeter meter) throws IOException {
    DataTable table = load(testbed, "metrics");
    for (int round = 0; round < plan.rounds(); round++) {
      ReadCosts costs = new ReadCosts();
      for (Side side : Interleaved.order(SERVERS, round)) {
        testbed.use(side);
        results.describe(side.id(), testbed.describe(side));
        String label = side.id() + ", round " + (round + 1) + " of " + plan.rounds();
        Map<String, DataTable> roles = Map.of(side.id(), table);
        warmUp(meter, roles, label + ", warm-up", round == 0);
        measure(meter, roles, costs, plan.seconds(), label);
      }
      record(costs);
    }
  }

  private DataTable load(Testbed testbed, String name) throws IOException {
    Console.Step step = console.step("load of " + name, "rows");
    DataTable table = new DataTable(testbed, name);
    table.create();
    table.load(plan.shape(), Durability.SKIP_WAL, step::update);
    step.done(plan.shape().rows());
    return table;
  }

  /** Reads until the JIT is done; how the cost falls until then is a chart of the report. */
  private void warmUp(ReadMeter meter, Map<String, DataTable> roles, String label, boolean chart)
      throws IOException {
    for (Reads kind : plan.reads()) {
      ReadCosts costs = new ReadCosts();
      Console.Step step = console.step(label + ", " + kind.label(), "groups");
      int groups = meter.slices(plan.warmUpSeconds()) / roles.size();
      for (int i = 0; i < groups; i++) {
        meter.adjust(kind, roles.values().iterator().next());
        group(meter, kind, roles, costs, i);
        step.update(i + 1, groups);
      }
      if (chart && groups > 0) {
        roles.keySet().forEach(side -> chart(costs, kind, side));
      }
      step.done(groups > 0 ? costs.summary(kind, List.copyOf(roles.keySet())) : "none");
    }
  }

  private void chart(ReadCosts costs, Reads kind, String side) {
    List<Double> cost = costs.all(kind, side);
    List<Double> time = new ArrayList<>();
    double step = (double) plan.warmUpSeconds() / cost.size();
    for (int i = 0; i < cost.size(); i++) {
      time.add((i + 1) * step);
    }
    results.series(
        new Series(
            "RegionServer CPU of a " + kind.label() + " while it warms up",
            side,
            "s",
            kind.unit(),
            time,
            cost));
  }

  private void measure(
      ReadMeter meter, Map<String, DataTable> roles, ReadCosts costs, int seconds, String label)
      throws IOException {
    for (Reads kind : plan.reads()) {
      Console.Step step = console.step(label + ", " + kind.label(), "groups");
      ReadCosts unsettled = new ReadCosts();
      ReadCosts settled = new ReadCosts();
      for (int i = 0; i < SETTLING_GROUPS; i++) {
        meter.adjust(kind, roles.values().iterator().next());
        group(meter, kind, roles, unsettled, i);
      }
      int groups = meter.slices(seconds);
      for (int i = 0; i < groups; i++) {
        group(meter, kind, roles, settled, i);
        step.update(i + 1, groups);
      }
      costs.addAll(settled);
      step.done(settled.summary(kind, List.copyOf(roles.keySet())));
    }
  }

  /** One slice of each side, another one first each time. */
  private static void group(
      ReadMeter meter, Reads kind, Map<String, DataTable> roles, ReadCosts costs, int number)
      throws IOException {
    meter.nextGroup();
    for (String side : Interleaved.order(roles.keySet(), number)) {
      costs.add(kind, side, meter.cost(kind, roles.get(side)));
    }
  }

  private void record(ReadCosts costs) {
    costs.record(results, plan.params(), BASELINE);
    for (Reads kind : plan.reads()) {
      console.line(costs.summary(kind, SIDES));
    }
  }
}
