package org.fastpath.bench.demo;

import java.io.IOException;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.Usage;

/** Reads rows at random, many at a time, past the block cache: one block of HDFS for each row. */
final class MultiGetPart implements DemoPart {
  private static final int BATCH = 50;

  @Override
  public String title() {
    return "multi-get";
  }

  @Override
  public void run(DemoRun run) throws IOException {
    int rows = run.shape().rows() / 2;
    Console.Step step = run.step(title(), "rows");
    Usage usage = run.measure(() -> run.table().multiGet(run.shape(), rows, BATCH, step::update));
    step.done(rows);
    run.rows(title(), rows, usage);
  }
}
