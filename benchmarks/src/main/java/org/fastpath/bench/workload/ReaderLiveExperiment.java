package org.fastpath.bench.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.fastpath.bench.Interleaved;
import org.fastpath.bench.results.FlameGraph;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.results.Series;

/**
 * What the off-heap reader is worth to clients: tables of the same rows in one RegionServer, all of
 * whose blocks are in our block cache, and whose attributes say who reads them, HBase or the
 * off-heap reader.
 *
 * <p>Slices of a second alternate between the tables, so that both sides see the same machine and
 * the same heap; so are the JIT's profiles, which know both readers then, as those of a server with
 * the reader on for some tables do. In each round the tables change sides, so that no table's place
 * in memory speaks for one.
 *
 * <p>Clients and server share the machine. Rows per second tell of both, CPU time of the
 * RegionServer alone.
 */
final class ReaderLiveExperiment {
  /** HBase's reader. */
  static final String BASELINE = "stock";

  /** The side that the report compares with it. */
  static final String CANDIDATE = "ours";

  static final String VALUE_BYTES = "value bytes";

  private static final List<String> SIDES = List.of(BASELINE, CANDIDATE);
  private static final String PREFIX = "reader-live.";
  private static final int MILLIS = 1000;

  /** Between the start of clients and what is measured of them. */
  private static final int SETTLE_MILLIS = 200;

  private static final int PROFILED_MILLIS = 5 * MILLIS;
  private static final long SEED = 2015;

  /** Rows chosen evenly. */
  private static final double EVEN = 0;

  /** For indexes, uneven sizes of blocks and what a cache keeps free. */
  private static final double ROOM = 1.25;

  private static final int LEAST_CACHE_MEGABYTES = 64;

  private static final List<ReaderFigure> CHARTED =
      List.of(ReaderFigure.RATE, ReaderFigure.CPU, ReaderFigure.ALLOCATION, ReaderFigure.P99);

  private final Plan plan;
  private final Console console;
  private final WorkDirectory directory;
  private final Results.Builder results;
  private long seed = SEED;

  /**
   * How much is done.
   *
   * @param rounds how often each side is measured
   * @param seconds how long each side, kind of reads and number of threads is measured in a round
   * @param warmUpSeconds how long each kind of reads warms the RegionServer up
   * @param sliceMillis how long sides take turns
   * @param threads the numbers of client threads
   * @param valueBytes the sizes of values, with two tables for each
   * @param tableMegabytes size of a table
   * @param heapMegabytes heap of the RegionServer
   * @param batch rows of a multi-get
   * @param scanRows rows of a scan
   * @param reads the kinds of reads
   * @param profile whether flame graphs are made
   */
  record Plan(
      int rounds,
      int seconds,
      int warmUpSeconds,
      int sliceMillis,
      List<Integer> threads,
      List<Integer> valueBytes,
      int tableMegabytes,
      int heapMegabytes,
      int batch,
      int scanRows,
      List<ReaderLoad> reads,
      boolean profile) {

    DataTable.Shape shape(int size) {
      return DataTable.Shape.ofMegabytes(tableMegabytes, size);
    }

    /** Room for all blocks of all tables. */
    int cacheMegabytes() {
      int tables = SIDES.size() * valueBytes.size();
      return LEAST_CACHE_MEGABYTES + (int) (tables * tableMegabytes * ROOM);
    }

    List<String> serverFlags() {
      return new ServerMemory(heapMegabytes, cacheMegabytes()).flags();
    }

    /** How many slices of each side make the time that is asked for. */
    int slices(int ofSeconds) {
      return Math.max(1, ofSeconds * MILLIS / sliceMillis);
    }

    int mostThreads() {
      return Collections.max(threads);
    }

    Map<String, String> params(ReaderLoad kind, int size, int clients) {
      Map<String, String> params = new LinkedHashMap<>();
      params.put(VALUE_BYTES, Integer.toString(size));
      params.put("rows", Integer.toString(shape(size).rows()));
      if (kind == ReaderLoad.MULTI_GET) {
        params.put("batch", Integer.toString(batch));
      } else if (kind != ReaderLoad.GET) {
        params.put("rows per scan", Integer.toString(scanRows));
      }
      params.put(ThreadCharts.THREADS, Integer.toString(clients));
      return params;
    }
  }

  ReaderLiveExperiment(
      Plan plan, Console console, WorkDirectory directory, Results.Builder results) {
    this.plan = plan;
    this.console = console;
    this.directory = directory;
    this.results = results;
  }

  /** Runs it; the figures are in the results then. */
  void run() throws IOException {
    results.describe(BASELINE, "a table that HBase reads");
    results.describe(CANDIDATE, "a table that the off-heap reader reads, in the same RegionServer");
    boolean shortCircuit = directory.hasRoomForSockets();
    Side side = Side.offHeapReader(plan.cacheMegabytes());
    try (Testbed testbed =
        new Testbed(
            directory.cluster(), side, Map.of(), shortCircuit, plan.serverFlags(), console::line)) {
      testbed.use(side);
      List<Pair> pairs = new ArrayList<>();
      for (int size : plan.valueBytes()) {
        pairs.add(new Pair(testbed, size));
      }
      for (int round = 0; round < plan.rounds(); round++) {
        new Round(testbed, pairs, round).run();
      }
    }
    chart();
  }

  private void chart() {
    for (int size : plan.valueBytes()) {
      Map<String, String> params = Map.of(VALUE_BYTES, Integer.toString(size));
      for (ReaderLoad kind : plan.reads()) {
        for (ReaderFigure figure : CHARTED) {
          String name = figure.name(PREFIX + kind.label());
          ThreadCharts.lines(results.build(), name, figure.unit(), params).forEach(results::series);
        }
      }
    }
  }

  /** Two tables of the same rows, and what clients ask of them. */
  private final class Pair {
    private final int size;
    private final DataTable.Shape shape;
    private final List<DataTable> tables = new ArrayList<>();
    private final Map<ReaderLoad, RequestLoad.Request> requests = new LinkedHashMap<>();

    Pair(Testbed testbed, int size) throws IOException {
      this.size = size;
      this.shape = plan.shape(size);
      for (int i = 1; i <= SIDES.size(); i++) {
        tables.add(CompactedTable.load(testbed, "values_" + size + "_" + i, shape, console));
      }
      ZipfRequests even = new ZipfRequests(shape, EVEN);
      for (ReaderLoad kind : plan.reads()) {
        requests.put(kind, kind.request(even, plan.batch(), plan.scanRows()));
      }
    }

    /** Which table plays which side. */
    Map<String, DataTable> cast(int round) throws IOException {
      Map<String, DataTable> roles = new LinkedHashMap<>();
      for (int i = 0; i < SIDES.size(); i++) {
        DataTable table = tables.get((i + round) % tables.size());
        table.attribute(Side.READER, SIDES.get(i).equals(CANDIDATE));
        roles.put(SIDES.get(i), table);
      }
      return roles;
    }

    /** Reads each table from end to end, so that all of its blocks are cached. */
    void fill(Testbed testbed) throws IOException {
      for (DataTable table : tables) {
        try (Table open = testbed.connection().getTable(table.name())) {
          for (int first = 0; first < shape.rows(); first += plan.scanRows()) {
            int length = Math.min(plan.scanRows(), shape.rows() - first);
            ZipfRequests.filteredScan(open, shape, first, length, Scan.ReadType.PREAD);
          }
        }
      }
    }
  }

  /** All reads once, with the tables in certain roles. */
  private final class Round {
    private final Testbed testbed;
    private final List<Pair> pairs;
    private final int number;

    Round(Testbed testbed, List<Pair> pairs, int number) {
      this.testbed = testbed;
      this.pairs = pairs;
      this.number = number;
    }

    void run() throws IOException {
      Map<Pair, Map<String, DataTable>> roles = new LinkedHashMap<>();
      for (Pair pair : pairs) {
        roles.put(pair, pair.cast(number));
        pair.fill(testbed);
      }
      // Each of the tables is one file.
      testbed.confirmReader(pairs.size());
      for (Pair pair : pairs) {
        for (ReaderLoad kind : plan.reads()) {
          new Turn(testbed, pair, roles.get(pair), kind, number).run();
        }
      }
    }
  }

  /** One kind of reads of one pair of tables in one round. */
  private final class Turn {
    private final Testbed testbed;
    private final Pair pair;
    private final Map<String, DataTable> roles;
    private final ReaderLoad kind;
    private final int round;

    Turn(Testbed testbed, Pair pair, Map<String, DataTable> roles, ReaderLoad kind, int round) {
      this.testbed = testbed;
      this.pair = pair;
      this.roles = roles;
      this.kind = kind;
      this.round = round;
    }

    void run() throws IOException {
      if (round == 0) {
        warmUp();
      }
      for (int threads : plan.threads()) {
        measure(threads);
      }
      if (plan.profile() && round == plan.rounds() - 1) {
        profile();
      }
    }

    private String label(String step) {
      return String.join(
          ", ",
          "round " + (round + 1) + " of " + plan.rounds(),
          pair.size + " B",
          kind.label(),
          step);
    }

    /** Reads until the JIT is done; how the cost falls until then is a chart of the report. */
    private void warmUp() throws IOException {
      Console.Step step = console.step(label("warm-up"), "slices");
      int slices = plan.slices(plan.warmUpSeconds()) / SIDES.size();
      Map<String, List<Double>> costs = new LinkedHashMap<>();
      for (int i = 0; i < slices; i++) {
        group(plan.mostThreads(), i)
            .forEach(
                (side, totals) ->
                    costs
                        .computeIfAbsent(side, any -> new ArrayList<>())
                        .add(totals.cpuMicrosPerRow()));
        step.update(i + 1, slices);
      }
      costs.forEach(this::chart);
      step.done(slices + " slices");
    }

    private void chart(String side, List<Double> costs) {
      List<Double> seconds = new ArrayList<>();
      for (int i = 0; i < costs.size(); i++) {
        seconds.add((i + 1.0) * SIDES.size() * plan.sliceMillis() / MILLIS);
      }
      results.series(
          new Series(
              kind.label() + " of " + pair.size + " B: CPU of the RegionServer while it warms up",
              side,
              "s",
              ReaderFigure.CPU.unit(),
              seconds,
              costs));
    }

    private void measure(int threads) throws IOException {
      Console.Step step = console.step(label(threads + " threads"), "slices");
      group(threads, 0);
      long blocks = testbed.blockReads();
      int slices = plan.slices(plan.seconds());
      Map<String, SliceTotals> sum = new LinkedHashMap<>();
      SIDES.forEach(side -> sum.put(side, new SliceTotals()));
      for (int i = 0; i < slices; i++) {
        group(threads, i).forEach((side, totals) -> sum.get(side).add(totals));
        step.update(i + 1, slices);
      }
      blocks = testbed.blockReads() - blocks;
      Map<String, String> params = plan.params(kind, pair.size, threads);
      sum.forEach((side, totals) -> totals.record(results, PREFIX + kind.label(), params, side));
      step.done(summary(sum) + (blocks > 0 ? "; " + blocks + " blocks were not cached" : ""));
    }

    private String summary(Map<String, SliceTotals> sum) {
      SliceTotals stock = sum.get(BASELINE);
      SliceTotals ours = sum.get(CANDIDATE);
      return String.format(
          Locale.ROOT,
          "stock %s; ours %s; %.2f× CPU",
          stock.summary(),
          ours.summary(),
          stock.cpuMicrosPerRow() / ours.cpuMicrosPerRow());
    }

    /** A slice of each side, another one first each time; both ask for the same rows. */
    private Map<String, SliceTotals> group(int threads, int turn) throws IOException {
      seed++;
      Map<String, SliceTotals> totals = new LinkedHashMap<>();
      for (String side : Interleaved.order(SIDES, turn)) {
        SliceTotals own = new SliceTotals();
        try (RequestLoad clients = start(side, threads)) {
          Pause.millis(SETTLE_MILLIS);
          own.add(Slice.of(testbed, clients, plan.sliceMillis()));
          clients.stop();
        }
        totals.put(side, own);
      }
      return totals;
    }

    private RequestLoad start(String side, int threads) {
      return new RequestLoad(
          testbed.connection(), roles.get(side).name(), pair.requests.get(kind), threads, seed);
    }

    private void profile() throws IOException {
      int threads = plan.threads().get(plan.threads().size() / 2);
      for (String side : SIDES) {
        String name = String.join("-", "reader", kind.label(), Integer.toString(pair.size), side);
        Console.Step step = console.step(label("profile of " + side), "samples");
        try (RequestLoad clients = start(side, threads)) {
          Pause.millis(SETTLE_MILLIS);
          CollapsedStacks stacks =
              Profiler.profile(
                  directory, testbed.regionServer(), name, () -> Pause.millis(PROFILED_MILLIS));
          clients.stop();
          step.done(stacks.total() + " samples");
        }
        results.flameGraph(
            new FlameGraph(
                "RegionServer, " + kind.label() + " of " + pair.size + " B", side, name + ".html"));
      }
    }
  }
}
