package org.fastpath.bench.demo;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Durability;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.DataTable;
import org.fastpath.bench.workload.Usage;

/** Creates the table and loads it through the write-ahead log, with a flush per store file. */
final class LoadPart implements DemoPart {
  @Override
  public String title() {
    return "load";
  }

  @Override
  public void run(DemoRun run) throws IOException {
    DataTable.Shape shape = run.shape();
    Console.Step step = run.step(title(), "rows");
    run.table().create();
    Usage usage = run.measure(() -> run.table().load(shape, Durability.USE_DEFAULT, step::update));
    step.done(shape.rows());
    run.rows(title(), shape.rows(), usage);
  }
}
