package org.fastpath.bench.demo;

import java.io.IOException;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.Usage;

/** Reads the whole table in order, past the block cache. */
final class ScanPart implements DemoPart {
  @Override
  public String title() {
    return "scan";
  }

  @Override
  public void run(DemoRun run) throws IOException {
    Console.Step step = run.step(title(), "rows");
    Usage usage = run.measure(() -> run.table().scan(run.shape(), step::update));
    step.done(run.shape().rows());
    run.rows(title(), run.shape().rows(), usage);
  }
}
