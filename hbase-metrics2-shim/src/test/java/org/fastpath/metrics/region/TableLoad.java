package org.fastpath.metrics.region;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Clients that read and write a table and count their operations. Every row that they read is
 * there: the rows that are deleted are others.
 */
final class TableLoad implements AutoCloseable {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final int ROWS = 4000;
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int BATCH = 10;
  private static final int THREADS = 2;

  private final Connection connection;
  private final TableName name;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final List<Future<?>> running = new ArrayList<>();
  private final AtomicLongArray done = new AtomicLongArray(TimedOperation.values().length);
  private final AtomicLong rowsRead = new AtomicLong();
  private volatile boolean stopped;

  TableLoad(Connection connection, TableName name) {
    this.connection = connection;
    this.name = name;
  }

  /** Returns the work of the clients: scans for a scan, rows for all other operations. */
  long done(TimedOperation operation) {
    return done.get(operation.ordinal());
  }

  /** Rows that gets and scans returned. */
  long rowsRead() {
    return rowsRead.get();
  }

  /** Writes all rows that are never deleted. */
  void fill() throws IOException {
    try (Table table = connection.getTable(name)) {
      List<Put> puts = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        puts.add(put(key(row)));
      }
      table.put(puts);
      count(TimedOperation.PUT, ROWS);
    }
  }

  void start(long seed) {
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      running.add(threads.submit(() -> run(random)));
    }
  }

  /** Ends the load; fails if a client failed. */
  void stop() throws Exception {
    stopped = true;
    for (Future<?> client : running) {
      client.get();
    }
  }

  @Override
  public void close() {
    stopped = true;
    threads.shutdownNow();
  }

  private Void run(SplittableRandom random) throws IOException {
    try (Table table = connection.getTable(name)) {
      while (!stopped) {
        step(table, random);
      }
    }
    return null;
  }

  private void step(Table table, SplittableRandom random) throws IOException {
    int row = random.nextInt(ROWS);
    switch (TimedOperation.values()[random.nextInt(TimedOperation.values().length)]) {
      case GET -> {
        read(TimedOperation.GET, table.get(new Get(key(row))));
      }
      case MULTI_GET_ROW -> {
        List<Get> gets = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
          gets.add(new Get(key(random.nextInt(ROWS))));
        }
        read(TimedOperation.MULTI_GET_ROW, table.get(gets));
      }
      case SCAN_NEXT -> scan(table, row);
      case PUT -> {
        table.put(List.of(put(passing(row)), put(passing(random.nextInt(ROWS)))));
        count(TimedOperation.PUT, 2);
      }
      case DELETE -> {
        table.delete(new Delete(passing(row)));
        count(TimedOperation.DELETE, 1);
      }
    }
  }

  private void scan(Table table, int row) throws IOException {
    try (ResultScanner scanner =
        table.getScanner(new Scan().withStartRow(key(row)).setLimit(BATCH))) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        rowsRead.incrementAndGet();
      }
    }
    count(TimedOperation.SCAN_NEXT, 1);
  }

  private void read(TimedOperation operation, Result... results) {
    for (Result result : results) {
      if (result.isEmpty()) {
        throw new IllegalStateException("a row is not there");
      }
    }
    rowsRead.addAndGet(results.length);
    count(operation, results.length);
  }

  private void count(TimedOperation operation, int times) {
    done.addAndGet(operation.ordinal(), times);
  }

  private static Put put(byte[] key) {
    return new Put(key).addColumn(FAMILY, QUALIFIER, new byte[100]);
  }

  /** Returns the key of a row that stays. */
  static byte[] key(int row) {
    return Bytes.toBytes(String.format("%06d", row));
  }

  /** Returns the key of a row that comes and goes. */
  private static byte[] passing(int row) {
    return Bytes.toBytes(String.format("%06d-passing", row));
  }
}
