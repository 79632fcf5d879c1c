package org.fastpath.bench.demo;

import java.io.IOException;
import java.util.Locale;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.MajorCompaction;
import org.fastpath.bench.workload.Usage;

/** Rewrites the table into one store file. */
final class CompactionPart implements DemoPart {
  @Override
  public String title() {
    return "major compaction";
  }

  @Override
  public void run(DemoRun run) throws IOException {
    Console.Step step = run.step(title(), "rows");
    Usage usage = run.measure(() -> MajorCompaction.run(run.testbed(), run.table(), step::update));
    step.done(
        String.format(
            Locale.ROOT,
            "%.1f s, %.2f s of RegionServer CPU",
            usage.wallSeconds(),
            usage.cpuSeconds()));
    run.row(title() + ": time", "s", usage.wallSeconds());
    run.row(title() + ": RegionServer CPU", "s", usage.cpuSeconds());
    run.row(title() + ": DataNode CPU", "s", usage.dataNodeSeconds());
  }
}
