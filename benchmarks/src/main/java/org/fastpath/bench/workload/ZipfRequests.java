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
  /** Below zero: no row passes. */
  private static final float NO_ROW = -1;

  private final DataTable.Shape shape;
  private final double exponent;

  ZipfRequests(DataTable.Shape shape, double exponent) {
    this.shape = shape;
    this.exponent = exponent;
  }

  /** That many gets in one request. */
  ReadLoad.Request multiGet(int batch) {
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

  /** A scan of so many rows that follow one another. */
  ReadLoad.Request scan(int length) {
    Zipf zipf = new Zipf(Math.max(1, shape.rows() / length), exponent);
    return (table, random) ->
        filteredScan(table, zipf.next(random) * length, length, Scan.ReadType.DEFAULT);
  }

  /**
   * Has the server read rows, none of which it sends: what the client does with rows would take
   * more CPU time than the server's part. Returns their number.
   */
  static int filteredScan(Table table, int first, int length, Scan.ReadType type)
      throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(DataTable.key(first))
            .withStopRow(DataTable.key(first + length))
            .setFilter(new RandomRowFilter(NO_ROW))
            .setReadType(type)
            .setScanMetricsEnabled(true);
    try (ResultScanner scanner = table.getScanner(scan)) {
      if (scanner.next() != null) {
        throw new IOException("a filter that no row passes let one through");
      }
      long scanned = scanner.getScanMetrics().countOfRowsScanned.get();
      if (scanned != length) {
        throw new IOException("a scan read " + scanned + " rows instead of " + length);
      }
    }
    return length;
  }
}
