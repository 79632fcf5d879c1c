package org.fastpath.bench.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.fastpath.bench.workload.CollapsedStacks;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.DataTable;
import org.fastpath.bench.workload.MajorCompaction;
import org.fastpath.bench.workload.Profiler;
import org.fastpath.bench.workload.StoreFiles;
import org.fastpath.bench.workload.Usage;

/**
 * Rewrites the table into one store file, then copies of it, since a single compaction of this size
 * is soon over, then another copy with a profiler, which shows how much of the CPU time checksums
 * take.
 */
final class CompactionPart implements DemoPart {
  private static final int COPIES = 2;

  /** Further ones in the warm-up: until the JIT has compiled what a compaction runs through. */
  private static final int WARM_UPS = 6;

  @Override
  public String title() {
    return "major compaction";
  }

  @Override
  public void run(DemoRun run) throws IOException {
    StoreFiles files = new StoreFiles(run.testbed(), run.table());
    List<Usage> usages = new ArrayList<>();
    usages.add(measure(run, run.table()));
    for (int i = 0; i < WARM_UPS && !run.counts(); i++) {
      measure(run, run.table());
    }
    for (int i = 0; i < (run.counts() ? COPIES : 1); i++) {
      DataTable copy = files.newTable();
      usages.add(measure(run, copy));
      files.takeBack(copy);
    }
    record(run, "time", usages, Usage::wallSeconds);
    record(run, "RegionServer CPU", usages, Usage::cpuSeconds);
    record(run, "DataNode CPU", usages, Usage::dataNodeSeconds);
    if (run.counts() && Profiler.isAvailable()) {
      profile(run, files);
    }
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

  /** The demo goes on where the machine does not allow profiles. */
  private void profile(DemoRun run, StoreFiles files) throws IOException {
    Console.Step step = run.step(title() + " with profiler", "rows");
    DataTable copy = files.newTable();
    String name = "compaction-" + run.side().id();
    try {
      CollapsedStacks stacks =
          new MajorCompaction(run.testbed(), copy, step::update).profile(run.directory(), name);
      run.row(title() + ": RegionServer CPU in checksums", "%", stacks.checksumPercent());
      run.flameGraph("RegionServer during a major compaction", name + ".html");
      step.done(
          String.format(Locale.ROOT, "%.1f %% of CPU in checksums", stacks.checksumPercent()));
    } catch (Profiler.Unavailable e) {
      step.done(e.getMessage());
    }
    copy.drop();
  }
}
