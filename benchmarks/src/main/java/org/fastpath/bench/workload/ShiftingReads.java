package org.fastpath.bench.workload;

import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads of several tables, nearly all of them of one table, which is another one whenever somebody
 * says so. Safe from any thread.
 */
final class ShiftingReads implements RequestLoad.Request {
  private final Connection connection;
  private final List<TableName> tables;
  private final RequestLoad.Request request;
  private final double hotShare;
  private volatile int hot;

  /**
   * Reads of which the first table gets most.
   *
   * @param request a read of any of the tables
   * @param hotShare the part of all reads that goes to the hot table; the others share the rest
   */
  ShiftingReads(
      Connection connection, List<TableName> tables, RequestLoad.Request request, double hotShare) {
    this.connection = connection;
    this.tables = List.copyOf(tables);
    this.request = request;
    this.hotShare = hotShare;
  }

  /** From now on this table is the hot one. */
  void shiftTo(int table) {
    hot = table;
  }

  /** Reads a table of its own choice instead of the one that it is given. */
  @Override
  public int send(Table any, SplittableRandom random) throws IOException {
    try (Table table = connection.getTable(tables.get(next(random)))) {
      return request.send(table, random);
    }
  }

  private int next(SplittableRandom random) {
    if (random.nextDouble() < hotShare) {
      return hot;
    }
    int other = random.nextInt(tables.size() - 1);
    return other < hot ? other : other + 1;
  }
}
