package org.fastpath.bench.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.RandomRowFilter;

/**
 * Requests for rows, or ranges of rows, some of which are asked for much more often than others.
 * All of them go through the block cache.
 */
final class ZipfRequests {
  private final DataTable.Shape shape;
  private final double exponent;

  ZipfRequests(DataTable.Shape shape, double exponent) {
    this.shape = shape;
    this.exponent = exponent;
  }

  /** That many gets in one request. */
  RequestLoad.Request multiGet(int batch) {
    Zipf zipf = new Zipf(shape.rows(), exponent);
    return (table, random) -> multiGet(table, zipf, batch, random);
  }

  private int multiGet(Table table, Zipf zipf, int batch, SplittableRandom random)
      throws IOException {
    List<Get> gets = new ArrayList<>(batch);
    for (int i = 0; i < batch; i++) {
      gets.add(new Get(DataTable.key(zipf.next(random))));
    }
    for (Result result : table.get(gets)) {
      DataTable.require(result, shape.valueBytes());
    }
    return batch;
  }

  /** A single get in one request. */
  RequestLoad.Request get() {
    Zipf zipf = new Zipf(shape.rows(), exponent);
    return (table, random) -> {
      DataTable.require(table.get(new Get(DataTable.key(zipf.next(random)))), shape.valueBytes());
      return 1;
    };
  }

  /** A scan of so many rows that follow one another, none of which the client gets. */
  RequestLoad.Request scan(int length) {
    return scan(length, 0);
  }

  /**
   * The same of rows some of which the client gets.
   *
   * @param passing the part of them that a filter lets through; with 1 there is no filter
   */
  RequestLoad.Request scan(int length, double passing) {
    Zipf zipf = new Zipf(Math.max(1, shape.rows() / length), exponent);
    return (table, random) ->
        scan(
            table,
            shape,
            zipf.next(random) * length,
            length,
            (float) passing,
            Scan.ReadType.DEFAULT);
  }

  /**
   * Has the server read rows, none of which it sends: what the client does with rows would take
   * more CPU time than the server's part. Returns their number.
   */
  static int filteredScan(
      Table table, DataTable.Shape shape, int first, int length, Scan.ReadType type)
      throws IOException {
    return scan(table, shape, first, length, 0, type);
  }

  private static int scan(
      Table table, DataTable.Shape shape, int first, int length, float passing, Scan.ReadType type)
      throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(DataTable.key(first))
            .withStopRow(DataTable.key(first + length))
            .setReadType(type)
            .setScanMetricsEnabled(true);
    if (passing < 1) {
      scan.setFilter(new RandomRowFilter(passing));
    }
    try (ResultScanner scanner = table.getScanner(scan)) {
      requirePassed(count(scanner, shape), length, passing);
      long scanned = scanner.getScanMetrics().countOfRowsScanned.get();
      if (scanned != length) {
        throw new IOException("a scan read " + scanned + " rows instead of " + length);
      }
    }
    return length;
  }

  private static int count(ResultScanner scanner, DataTable.Shape shape) throws IOException {
    int count = 0;
    for (Result row = scanner.next(); row != null; row = scanner.next()) {
      DataTable.require(row, shape.valueBytes());
      count++;
    }
    return count;
  }

  private static void requirePassed(int passed, int length, float passing) throws IOException {
    if (passing == 0 && passed > 0) {
      throw new IOException("a filter that no row passes let one through");
    }
    if (passing >= 1 && passed < length) {
      throw new IOException("a scan found " + passed + " rows instead of " + length);
    }
  }
}
