package org.fastpath.bench.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.client.Durability;
import org.fastpath.bench.results.FlameGraph;
import org.fastpath.bench.results.Results;

/**
 * The experiment of HBASE-11927: what a major compaction of 10 KB values costs the RegionServer,
 * with checksums computed in four ways.
 *
 * <p>Every round goes through all sides, in an order that rotates, so that a machine that slows
 * down or speeds up over minutes does so for all of them. A run of one side is a RegionServer and a
 * DataNode that were just started, some compactions that nobody counts, until the JIT has compiled
 * what a compaction runs through (which costs more CPU time than a compaction), and then the
 * compactions that are counted. All of them merge the same store files (see {@link StoreFiles}).
 *
 * <p>The CPU time is that of the whole process between the request and the end, nothing subtracted.
 * The last compaction of each run has the profiler in the process and is not counted: its samples
 * give the share of checksums.
 *
 * <p>In a compaction the RegionServer verifies HBase's checksums of what it reads (one per 16 KB),
 * computes them for what it writes, and once more HDFS's (one per 512 bytes), which the DataNode
 * verifies. Short-circuit reads are off, because a side without libhadoop cannot have them.
 */
final class CompactionExperiment {
  static final String CHECKSUM_KEY = "hbase.hstore.checksum.algorithm";

  private final Plan plan;
  private final Console console;
  private final WorkDirectory directory;
  private final Results.Builder results;

  /**
   * How much is done.
   *
   * @param sides in the order of the first round
   * @param rounds how often each side runs
   * @param warmups compactions at the start of a run that are not counted
   * @param samples compactions per run that are counted
   * @param shape the table
   * @param checksum HBase's checksum algorithm
   * @param profile whether a run ends with a profiled compaction
   */
  record Plan(
      List<Side> sides,
      int rounds,
      int warmups,
      int samples,
      DataTable.Shape shape,
      String checksum,
      boolean profile) {

    Map<String, String> params() {
      Map<String, String> params = new LinkedHashMap<>();
      params.put("rows", Integer.toString(shape.rows()));
      params.put("value bytes", Integer.toString(shape.valueBytes()));
      params.put("store files", Integer.toString(shape.files()));
      params.put("checksum", checksum);
      return params;
    }
  }

  CompactionExperiment(
      Plan plan, Console console, WorkDirectory directory, Results.Builder results) {
    this.plan = plan;
    this.console = console;
    this.directory = directory;
    this.results = results;
  }

  /** Runs it; the figures are in the results then. */
  void run() throws IOException {
    Map<String, String> conf = Map.of(CHECKSUM_KEY, plan.checksum());
    try (Testbed testbed =
        new Testbed(directory.cluster(), Side.STOCK, conf, false, console::line)) {
      StoreFiles files = prepare(testbed);
      for (int round = 0; round < plan.rounds(); round++) {
        List<Side> order = new ArrayList<>(plan.sides());
        Collections.rotate(order, -round);
        for (Side side : order) {
          run(testbed, files, side, round);
        }
      }
    }
  }

  private StoreFiles prepare(Testbed testbed) throws IOException {
    Console.Step step = console.step("load", "rows");
    DataTable base = new DataTable(testbed, "base");
    base.create();
    base.load(plan.shape(), Durability.SKIP_WAL, step::update);
    StoreFiles files = new StoreFiles(testbed, base);
    base.drop();
    if (files.count() != plan.shape().files()) {
      throw new IOException(
          "the load made " + files.count() + " store files, not " + plan.shape().files());
    }
    step.done(plan.shape().rows());
    return files;
  }

  private void run(Testbed testbed, StoreFiles files, Side side, int round) throws IOException {
    testbed.use(side);
    results.describe(side.id(), testbed.describe(side));
    String label = side.id() + ", round " + (round + 1) + " of " + plan.rounds();
    for (int i = 1; i <= plan.warmups(); i++) {
      measure(testbed, files, label + ", warm-up " + i);
    }
    List<Usage> usages = new ArrayList<>();
    for (int i = 1; i <= plan.samples(); i++) {
      usages.add(measure(testbed, files, label + ", compaction " + i));
    }
    record(side, usages);
    if (plan.profile()) {
      profile(testbed, files, side, label);
    }
  }

  private Usage measure(Testbed testbed, StoreFiles files, String label) throws IOException {
    Console.Step step = console.step(label, "rows");
    DataTable table = files.newTable();
    Usage usage = new MajorCompaction(testbed, table, step::update).measure();
    files.takeBack(table);
    step.done(
        String.format(
            Locale.ROOT,
            "%.2f s user + %.2f s system in the RegionServer, %.2f s in the DataNode, %.1f s in all",
            usage.userSeconds(),
            usage.systemSeconds(),
            usage.dataNodeSeconds(),
            usage.wallSeconds()));
    return usage;
  }

  private void record(Side side, List<Usage> usages) {
    record(side, "cpu.user", usages.stream().mapToDouble(Usage::userSeconds).toArray());
    record(side, "cpu.system", usages.stream().mapToDouble(Usage::systemSeconds).toArray());
    record(side, "cpu.total", usages.stream().mapToDouble(Usage::cpuSeconds).toArray());
    record(side, "wall", usages.stream().mapToDouble(Usage::wallSeconds).toArray());
    record(side, "datanode.cpu", usages.stream().mapToDouble(Usage::dataNodeSeconds).toArray());
  }

  private void record(Side side, String what, double[] seconds) {
    results.round("compaction." + what + ".seconds", plan.params(), side.id(), "s", seconds);
  }

  private void profile(Testbed testbed, StoreFiles files, Side side, String label)
      throws IOException {
    Console.Step step = console.step(label + ", profile", "rows");
    DataTable table = files.newTable();
    String name = "compaction-" + side.id();
    CollapsedStacks stacks =
        new MajorCompaction(testbed, table, step::update).profile(directory, name);
    files.takeBack(table);
    results.round(
        "compaction.checksum.share.percent",
        plan.params(),
        side.id(),
        "%",
        stacks.checksumPercent());
    results.flameGraph(
        new FlameGraph("RegionServer during a major compaction", side.id(), name + ".html"));
    step.done(
        String.format(
            Locale.ROOT,
            "%.1f %% of %,d samples in checksums",
            stacks.checksumPercent(),
            stacks.total()));
  }
}
