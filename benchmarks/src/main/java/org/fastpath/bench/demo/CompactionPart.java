package org.fastpath.bench.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.DataTable;
import org.fastpath.bench.workload.MajorCompaction;
import org.fastpath.bench.workload.StoreFiles;
import org.fastpath.bench.workload.Usage;

/**
 * Rewrites the table into one store file, then copies of it, since a single compaction of this size
 * is soon over; a last one runs with a profiler, which shows how much of the CPU time checksums
 * take.
 */
final class CompactionPart implements DemoPart {
  private static final int COPIES = 2;

  @Override
  public String title() {
    return "major compaction";
  }

  @Override
  public void run(DemoRun run) throws IOException {
    StoreFiles files = new StoreFiles(run.testbed(), run.table());
    List<Usage> usages = new ArrayList<>();
    usages.add(measure(run, run.table()));
    for (int i = 0; i < COPIES; i++) {
      DataTable copy = files.newTable();
      usages.add(measure(run, copy));
      copy.drop();
    }
    record(run, "time", usages, Usage::wallSeconds);
    record(run, "RegionServer CPU", usages, Usage::cpuSeconds);
    record(run, "DataNode CPU", usages, Usage::dataNodeSeconds);
  }

  private Usage measure(DemoRun run, DataTable table) throws IOException {
    Console.Step step = run.step(title(), "rows");
    Usage usage = new MajorCompaction(run.testbed(), table, step::update).measure();
    step.done(
        String.format(
            Locale.ROOT,
            "%.1f s, %.2f s of RegionServer CPU",
            usage.wallSeconds(),
            usage.cpuSeconds()));
    return usage;
  }

  private void record(
      DemoRun run, String what, List<Usage> usages, ToDoubleFunction<Usage> seconds) {
    run.row(title() + ": " + what, "s", usages.stream().mapToDouble(seconds).toArray());
  }
}
