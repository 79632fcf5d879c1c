package org.fastpath.bench.workload;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.hbase.client.Durability;

/** A table in one store file, as after a major compaction, so that a get looks for one block. */
final class CompactedTable {
  private CompactedTable() {}

  /** Creates and loads it. */
  static DataTable load(Testbed testbed, String name, DataTable.Shape shape, Console console)
      throws IOException {
    Console.Step step = console.step("load of " + name, "rows");
    DataTable table = new DataTable(testbed, name);
    table.create();
    table.load(shape, Durability.SKIP_WAL, step::update);
    step.done(shape.rows());
    Console.Step compaction = console.step("compaction into one store file", "rows");
    Usage usage = new MajorCompaction(testbed, table, compaction::update).measure();
    compaction.done(String.format(Locale.ROOT, "%.1f s", usage.wallSeconds()));
    return table;
  }
}
