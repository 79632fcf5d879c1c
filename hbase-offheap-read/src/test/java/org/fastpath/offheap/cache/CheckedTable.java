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
import java.util.function.IntUnaryOperator;
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
 * A table in which a row's value is a function of its key, with clients that read and write it. So
 * each read can be checked, whatever happens to the table meanwhile.
 */
public final class CheckedTable implements AutoCloseable {
  public static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int VALUE_BYTES = 4000;
  private static final int ONE_IN_MANY = 4;
  private static final int BATCH = 20;
  private static final int THREADS = 3;

  private final Connection connection;
  private final TableName name;
  private final int rows;
  private final List<byte[]> families;
  private final IntUnaryOperator valueBytes;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final List<Future<Void>> running = new ArrayList<>();
  private final AtomicLong checked = new AtomicLong();
  private volatile boolean stopped;

  /** With one family and values of one length. */
  CheckedTable(Connection connection, TableName name, int rows) {
    this(connection, name, rows, List.of(FAMILY), row -> VALUE_BYTES);
  }

  /**
   * Returns a table that exists.
   *
   * @param valueBytes how long the values of a row are
   */
  public CheckedTable(
      Connection connection,
      TableName name,
      int rows,
      List<byte[]> families,
      IntUnaryOperator valueBytes) {
    this.connection = connection;
    this.name = name;
    this.rows = rows;
    this.families = families;
    this.valueBytes = valueBytes;
  }

  /** Returns the key of a row. */
  public static byte[] key(int row) {
    return Bytes.toBytes(String.format("%08d", row));
  }

  private byte[] value(byte[] key, byte[] family) {
    byte[] value = new byte[valueBytes.applyAsInt(Integer.parseInt(Bytes.toString(key)))];
    new SplittableRandom(Arrays.hashCode(key) ^ Arrays.hashCode(family)).nextBytes(value);
    return value;
  }

  /** Writes all rows. */
  public void fill() throws IOException {
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

  private Put put(int row) {
    byte[] key = key(row);
    Put put = new Put(key);
    families.forEach(family -> put.addColumn(family, QUALIFIER, value(key, family)));
    return put;
  }

  /** Two clients that read, and one that writes existing values again. */
  public void start(long seed) {
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
        } else if (random.nextInt(ONE_IN_MANY) == 0) {
          scan(table, random.nextInt(rows), random.nextBoolean());
        } else if (random.nextInt(ONE_IN_MANY) == 0) {
          check(table.get(new Get(key(random.nextInt(rows)))));
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

  private void scan(Table table, int row, boolean reversed) throws IOException {
    Scan scan = new Scan().withStartRow(key(row)).setReversed(reversed).setLimit(5 * BATCH);
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        check(result);
      }
    }
  }

  /** Reads and checks the whole table. */
  void checkAll() throws IOException {
    checkAll(false);
  }

  /** The same, perhaps from its end. */
  public void checkAll(boolean reversed) throws IOException {
    int found = 0;
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().setReversed(reversed))) {
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
    for (byte[] family : families) {
      if (!Arrays.equals(result.getValue(family, QUALIFIER), value(result.getRow(), family))) {
        throw new AssertionError(
            "wrong value in row "
                + Bytes.toString(result.getRow())
                + ", family "
                + Bytes.toString(family));
      }
    }
    checked.incrementAndGet();
  }

  /** Rows that were read and right. */
  public long checked() {
    return checked.get();
  }

  /** Ends the load; fails if a client failed or read something wrong. */
  public void stop() throws Exception {
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
