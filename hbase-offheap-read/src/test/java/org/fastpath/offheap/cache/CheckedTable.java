package org.fastpath.offheap.cache;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table in which a row's value is a function of its key, and clients that read and write it: what
 * is read can be told right or wrong whatever happens to the table meanwhile.
 */
final class CheckedTable implements AutoCloseable {
  static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int VALUE_BYTES = 4000;
  private static final int BATCH = 20;
  private static final int THREADS = 3;

  private final Connection connection;
  private final TableName name;
  private final int rows;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final List<Future<Void>> running = new ArrayList<>();
  private final AtomicLong checked = new AtomicLong();
  private volatile boolean stopped;

  CheckedTable(Connection connection, TableName name, int rows) {
    this.connection = connection;
    this.name = name;
    this.rows = rows;
  }

  static byte[] key(int row) {
    return Bytes.toBytes(String.format("%08d", row));
  }

  private static byte[] value(byte[] key) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(Arrays.hashCode(key)).nextBytes(value);
    return value;
  }

  /** Writes all rows. */
  void fill() throws IOException {
    try (Table table = connection.getTable(name)) {
      for (int row = 0; row < rows; row += BATCH) {
        List<Put> puts = new ArrayList<>();
        for (int i = row; i < Math.min(row + BATCH, rows); i++) {
          puts.add(put(i));
        }
        table.put(puts);
      }
    }
  }

  private static Put put(int row) {
    return new Put(key(row)).addColumn(FAMILY, QUALIFIER, value(key(row)));
  }

  /** Two clients that read, and one that writes what is there already. */
  void start(long seed) {
    for (int i = 0; i < THREADS; i++) {
      boolean writes = i == 0;
      SplittableRandom random = new SplittableRandom(seed + i);
      running.add(threads.submit(() -> run(random, writes)));
    }
  }

  private Void run(SplittableRandom random, boolean writes) throws IOException {
    try (Table table = connection.getTable(name)) {
      while (!stopped) {
        if (writes) {
          table.put(put(random.nextInt(rows)));
        } else if (random.nextInt(4) == 0) {
          scan(table, random.nextInt(rows));
        } else {
          get(table, random);
        }
      }
    }
    return null;
  }

  private void get(Table table, SplittableRandom random) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      // Half of the reads go to a tenth of the rows.
      gets.add(new Get(key(random.nextInt(random.nextBoolean() ? rows : rows / 10))));
    }
    for (Result result : table.get(gets)) {
      check(result);
    }
  }

  private void scan(Table table, int row) throws IOException {
    try (ResultScanner scanner =
        table.getScanner(new Scan().withStartRow(key(row)).setLimit(5 * BATCH))) {
      for (Result result : scanner) {
        check(result);
      }
    }
  }

  /** Reads and checks the whole table. */
  void checkAll() throws IOException {
    int found = 0;
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result : scanner) {
        check(result);
        found++;
      }
    }
    if (found != rows) {
      throw new AssertionError("there are " + found + " rows, not " + rows);
    }
  }

  private void check(Result result) {
    if (result.isEmpty()) {
      throw new AssertionError("a row is not there");
    }
    if (!Arrays.equals(result.getValue(FAMILY, QUALIFIER), value(result.getRow()))) {
      throw new AssertionError("wrong value in row " + Bytes.toString(result.getRow()));
    }
    checked.incrementAndGet();
  }

  /** Rows that were read and right. */
  long checked() {
    return checked.get();
  }

  /** Ends the load; fails if a client failed or read something wrong. */
  void stop() throws Exception {
    stopped = true;
    for (Future<Void> client : running) {
      client.get();
    }
  }

  @Override
  public void close() {
    stopped = true;
    threads.shutdownNow();
  }
}
