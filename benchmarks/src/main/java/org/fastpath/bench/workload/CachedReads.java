package org.fastpath.bench.workload;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads of tables that lie in the block cache, by HBase's own client: nothing but the RegionServer
 * works for them.
 */
public final class CachedReads implements AutoCloseable {
  private static final int ROWS_PER_RPC = 100;

  private final Testbed testbed;
  private final int rows;
  private final int valueBytes;
  private final int threads;
  private final ExecutorService executor;

  /**
   * Reads of some rows.
   *
   * @param rows the first ones of the tables
   * @param valueBytes size of each row's only value
   * @param threads how many get rows at the same time; scans are always done by one
   */
  public CachedReads(Testbed testbed, int rows, int valueBytes, int threads) {
    this.testbed = testbed;
    this.rows = rows;
    this.valueBytes = valueBytes;
    this.threads = threads;
    this.executor =
        Executors.newFixedThreadPool(
            threads,
            work -> {
              Thread thread = new Thread(work, "cached-reads");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Reads that many rows; gets of one seed are of the same rows. */
  public void run(Reads kind, DataTable table, long count, long seed) throws IOException {
    switch (kind) {
      case GET -> gets(table, count, seed);
      case SCAN -> scans(table, count, ROWS_PER_RPC);
      case SCAN_NEXT -> scans(table, count, 1);
    }
  }

  private void gets(DataTable table, long count, long seed) throws IOException {
    List<Callable<Void>> parts = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      long part = count * (thread + 1) / threads - count * thread / threads;
      SplittableRandom random = new SplittableRandom(seed * threads + thread);
      parts.add(
          () -> {
            gets(table, part, random);
            return null;
          });
    }
    all(parts);
  }

  private void gets(DataTable data, long count, SplittableRandom random) throws IOException {
    try (Table table = testbed.connection().getTable(data.name())) {
      for (long i = 0; i < count; i++) {
        require(table.get(new Get(DataTable.key(random.nextInt(rows)))));
      }
    }
  }

  private void all(List<Callable<Void>> parts) throws IOException {
    try {
      for (Future<Void> part : executor.invokeAll(parts)) {
        part.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while reading");
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  private void scans(DataTable data, long count, int perRpc) throws IOException {
    try (Table table = testbed.connection().getTable(data.name())) {
      for (long left = count; left > 0; ) {
        int limit = (int) Math.min(left, rows);
        scan(table, limit, perRpc);
        left -= limit;
      }
    }
  }

  private void scan(Table table, int limit, int perRpc) throws IOException {
    int seen = 0;
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(perRpc).setLimit(limit))) {
      for (Result result : scanner) {
        require(result);
        seen++;
      }
    }
    if (seen != limit) {
      throw new IOException("a scan found " + seen + " rows instead of " + limit);
    }
  }

  private void require(Result result) throws IOException {
    DataTable.require(result, valueBytes);
  }

  /** Ends its threads. */
  @Override
  public void close() {
    executor.shutdownNow();
  }
}
