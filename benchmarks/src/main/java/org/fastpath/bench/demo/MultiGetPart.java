package org.fastpath.bench.demo;

import java.io.IOException;
import org.fastpath.bench.workload.DataTable;

/** Reads rows at random, many at a time, past the block cache: one block of HDFS for each row. */
final class MultiGetPart implements DemoPart {
  private static final int BATCH = 50;
  private static final int TIMES = 4;

  @Override
  public String title() {
    return "multi-get";
  }

  @Override
  public void run(DemoRun run) throws IOException {
    DataTable.Shape shape = run.shape();
    int rows = shape.rows() / TIMES;
    run.rows(title(), rows, TIMES, listener -> run.table().multiGet(shape, rows, BATCH, listener));
  }
}
