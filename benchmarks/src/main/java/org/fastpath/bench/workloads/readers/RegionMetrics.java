package org.fastpath.bench.workloads.readers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.DataTable;
import org.fastpath.bench.engine.cluster.RequestLoad;
import org.fastpath.bench.engine.cluster.Requests;
import org.fastpath.bench.engine.cluster.Testbed;
import org.fastpath.bench.engine.cluster.Variant;
import org.fastpath.bench.engine.cluster.Window;
import org.fastpath.bench.engine.results.Measurement;
import org.fastpath.bench.engine.results.Results;
import org.fastpath.metrics.region.RegionMeter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the cost of counts and latencies per region on the RegionServer in gets and scans. All
 * blocks are in the block cache, so no other cost hides it.
 *
 * <p>One RegionServer has three tables of the same rows (see {@link SlicedTables}). The regions of
 * one have latencies. The attributes of the two others disable them. The second table without
 * latencies is the control: its apparent extra cost is chance.
 */
@Command(
    name = "metrics",
    header = "Reads from the block cache: CPU time with and without latencies per region",
    description =
        "CPU time of the RegionServer in gets and scans from the block cache. Sides: off, without;"
            + " on, with counts and latencies per region; control, without once more.")
@Experiment.Quick("--rounds 1 --warm-up 3 --seconds 3")
public final class RegionMetrics extends Experiment {
  private static final String BASELINE = "off";
  private static final List<String> VARIANTS = List.of(BASELINE, "on", "control");
  private static final String PREFIX = "metrics.";
  private static final DataTable.Shape SHAPE = new DataTable.Shape(20_000, 100, 1);
  private static final int SLICE_MILLIS = 100;
  private static final int THREADS = 2;
  private static final Params PARAMS =
      new Params()
          .with("sides", "by table")
          .with("rows", SHAPE.rows())
          .with("value bytes", SHAPE.valueBytes())
          .with("threads", THREADS);
  private static final int ROWS_PER_RPC = 100;
  private static final int SCAN_ROWS = 1000;

  @Mixin private Options.Rounds rounds = new Options.Rounds(6);
  @Mixin private Options.Times times = new Options.Times(60, 15);

  @Option(names = "--reads", split = ",", description = "Kinds of reads: get, scan, scan-next.")
  private List<String> reads = List.of("get", "scan", "scan-next");

  private enum Reads {
    GET("get", "µs/get", 1, Requests::get),
    /** One thread, a hundred rows per RPC; the cost of a row. */
    SCAN("scan", "ns/row", 1e3, requests -> requests.scan(SCAN_ROWS, 1, ROWS_PER_RPC)),
    /** One thread, one row per RPC, so the cost of a row is the cost of an RPC. */
    SCAN_NEXT("scan-next", "µs/RPC", 1, requests -> requests.scan(ROWS_PER_RPC, 1, 1));

    private final String label;
    private final Figure<Window> cost;
    private final Function<Requests, RequestLoad.Request> request;

    Reads(
        String label,
        String unit,
        double perMicro,
        Function<Requests, RequestLoad.Request> request) {
      this.label = label;
      this.cost = Figure.low(".cpu", unit, window -> perMicro * Window.CPU.of(window));
      this.request = request;
    }

    private double[] costs(List<Window> slices) {
      return slices.stream().mapToDouble(cost::of).toArray();
    }
  }

  @Override
  protected void check() {
    kinds();
  }

  private List<Reads> kinds() {
    return chosen("reads", reads, List.of(Reads.values()), kind -> kind.label);
  }

  @Override
  protected void run(Run run) throws IOException {
    Variant variant = Variant.stock("on", "HBase as published", true, true).withRegionMetrics();
    try (Testbed testbed = new Testbed(run, variant, List.of(), builder -> {})) {
      testbed.use(variant, Results.builder("", null));
      run.results()
          .candidate("on")
          .describe(BASELINE, "a table whose attribute says that its regions are not shown")
          .describe("on", "a table with latencies of its regions, in the same RegionServer")
          .describe("control", "another table without them: what chance does");
      SlicedTables tables =
          new SlicedTables(run, testbed, "metrics_", SHAPE, VARIANTS, SLICE_MILLIS);
      tables.cast(0, RegionMeter.TABLE_ATTRIBUTE, "on");
      for (Reads kind : kinds()) {
        int seconds = Math.max(1, times.warmUp / VARIANTS.size());
        measure(tables, kind, seconds, "warm-up");
      }
      for (int round = 0; round < rounds.rounds; round++) {
        round(run, testbed, tables, round);
      }
    }
  }

  private void round(Run run, Testbed testbed, SlicedTables tables, int round) throws IOException {
    Map<Reads, Map<String, List<Window>>> costs = new LinkedHashMap<>();
    for (int part = 0; part < VARIANTS.size(); part++) {
      tables.cast(part, RegionMeter.TABLE_ATTRIBUTE, "on");
      String label = Interleaved.label(round, rounds.rounds) + ", part " + (part + 1);
      for (Reads kind : kinds()) {
        int seconds = Math.max(1, times.seconds / VARIANTS.size());
        measure(tables, kind, seconds, label)
            .forEach(
                (variant, windows) ->
                    costs
                        .computeIfAbsent(kind, any -> new LinkedHashMap<>())
                        .computeIfAbsent(variant, any -> new ArrayList<>())
                        .addAll(windows));
      }
      List<DataTable> others = List.of(tables.of(BASELINE), tables.of("control"));
      testbed.awaitObserved(tables.of("on"), others);
    }
    costs.forEach(
        (kind, variants) ->
            variants.forEach((variant, own) -> record(run, kind, variant, variants)));
  }

  private Map<String, List<Window>> measure(
      SlicedTables tables, Reads kind, int seconds, String label) throws IOException {
    return tables.measure(
        kind.request.apply(new Requests(SHAPE, 0)),
        kind == Reads.GET ? THREADS : 1,
        seconds,
        label + ", " + kind.label);
  }

  /**
   * Records the cost, which is the median of the slices. It excludes a garbage collection, which
   * affects a few slices. The extra cost of a variant is a separate measurement with the variant's
   * name, because percentages of two variants make no ratio.
   */
  private void record(Run run, Reads kind, String variant, Map<String, List<Window>> variants) {
    String name = PREFIX + kind.label;
    double[] costs = kind.costs(variants.get(variant));
    run.slices(List.of(kind.cost), name, PARAMS, variant, variants.get(variant));
    if (!variant.equals(BASELINE)) {
      double percent = overhead(costs, kind.costs(variants.get(BASELINE)));
      run.round(name + "." + variant + ".percent", PARAMS, variant, "%", percent);
    }
  }

  /**
   * Returns the extra cost of a variant in percent: the median over pairs of slices, which had the
   * same conditions.
   */
  static double overhead(double[] costs, double[] base) {
    double[] percent = new double[costs.length];
    Arrays.setAll(percent, i -> 100 * (costs[i] / base[i] - 1));
    return Measurement.median(percent);
  }
}
