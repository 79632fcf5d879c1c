package org.fastpath.bench.demo;

import java.io.IOException;
import org.fastpath.bench.workload.DataTable;

/** Reads the whole table in order, past the block cache. */
final class ScanPart implements DemoPart {
  private static final int TIMES = 4;

  @Override
  public String title() {
    return "scan";
  }

  @Override
  public void run(DemoRun run) throws IOException {
    DataTable.Shape shape = run.shape();
    run.rows(title(), shape.rows(), TIMES, listener -> run.table().scan(shape, listener));
  }
}
