package org.fastpath.bench.demo;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Durability;
import org.fastpath.bench.workload.DataTable;

/** Creates the table and loads it through the write-ahead log, with a flush per store file. */
final class LoadPart implements DemoPart {
  @Override
  public String title() {
    return "load";
  }

  @Override
  public void run(DemoRun run) throws IOException {
    DataTable.Shape shape = run.shape();
    run.table().create();
    run.rows(
        title(),
        shape.rows(),
        1,
        listener -> run.table().load(shape, Durability.USE_DEFAULT, listener));
  }
}
