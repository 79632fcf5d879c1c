package org.fastpath.bench.engine.cluster;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;

/** Answers gets and filtered scans without a server, and records the requests. */
final class FakeTable {
  /** The first row of a scan and the row after its last. */
  record Range(int first, int end) {}

  final List<Integer> rows = new ArrayList<>();
  final List<Range> ranges = new ArrayList<>();
  private final int valueBytes;

  /** The number of rows that a scan reports as missed. */
  int missed;

  /** The rows of a scan that the client gets. */
  int passed;

  FakeTable(int valueBytes) {
    this.valueBytes = valueBytes;
  }

  Table table() {
    return fake(
        Table.class,
        (proxy, method, args) ->
            switch (method.getName()) {
              case "get" ->
                  args[0] instanceof Get ? result((Get) args[0]) : results((List<?>) args[0]);
              case "getScanner" -> scanner((Scan) args[0]);
              default -> null;
            });
  }

  Connection connection() {
    return fake(Connection.class, (proxy, method, args) -> table());
  }

  private static <T> T fake(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Result[] results(List<?> gets) {
    return gets.stream().map(get -> result((Get) get)).toArray(Result[]::new);
  }

  private Result result(Get get) {
    rows.add(row(get.getRow()));
    return result(get.getRow());
  }

  private Result result(byte[] key) {
    byte[] family = Bytes.toBytes(DataTable.family());
    return Result.create(
        List.of(new KeyValue(key, family, Bytes.toBytes("q"), new byte[valueBytes])));
  }

  private ResultScanner scanner(Scan scan) {
    Range range = new Range(row(scan.getStartRow()), row(scan.getStopRow()));
    ranges.add(range);
    ScanMetrics metrics = new ScanMetrics();
    metrics.countOfRowsScanned.set(range.end() - range.first() - missed);
    Iterator<Result> passing = Collections.nCopies(passed, result(scan.getStartRow())).iterator();
    return fake(
        ResultScanner.class,
        (proxy, method, args) ->
            switch (method.getName()) {
              case "getScanMetrics" -> metrics;
              case "next" -> passing.hasNext() ? passing.next() : null;
              default -> null;
            });
  }

  private static int row(byte[] key) {
    return Integer.parseInt(Bytes.toString(key));
  }
}
