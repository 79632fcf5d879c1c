package org.fastpath.bench.hitratio;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Does to a table what the core workloads of YCSB do, in the order that YCSB recommends: A, B, C,
 * F, D and E. Rows have ten fields of 100 bytes, their keys are hashes, favourites are Zipfian with
 * the exponent 0.99 and lie anywhere. For recording traces only; docs/results/benchmarks.md says
 * how.
 */
public final class YcsbClient {
  private static final TableName TABLE = TableName.valueOf("usertable");
  private static final byte[] FAMILY = {'f'};
  private static final int FIELDS = 10;
  private static final int FIELD_BYTES = 100;
  private static final int LONGEST_SCAN = 100;
  private static final int THREADS = 4;
  private static final double EXPONENT = 0.99;
  private static final long SEED = 2010;

  /** In a hundred operations, so many are not reads but what the workload is named by. */
  private enum Workload {
    A(50) {
      @Override
      void other(User user) throws IOException {
        user.update(user.favourite());
      }
    },
    B(5) {
      @Override
      void other(User user) throws IOException {
        user.update(user.favourite());
      }
    },
    C(0) {
      @Override
      void other(User user) {
        throw new IllegalStateException("reads only");
      }
    },
    F(50) {
      @Override
      void other(User user) throws IOException {
        int row = user.favourite();
        user.read(row);
        user.update(row);
      }
    },
    D(5) {
      @Override
      void read(User user) throws IOException {
        user.read(user.latest());
      }

      @Override
      void other(User user) throws IOException {
        user.insert();
      }
    },
    E(5) {
      @Override
      void read(User user) throws IOException {
        user.scan(user.favourite());
      }

      @Override
      void other(User user) throws IOException {
        user.insert();
      }
    };

    private final int others;

    Workload(int others) {
      this.others = others;
    }

    void read(User user) throws IOException {
      user.read(user.favourite());
    }

    abstract void other(User user) throws IOException;

    final void operation(User user) throws IOException {
      if (user.random.nextInt(100) < others) {
        other(user);
      } else {
        read(user);
      }
    }
  }

  /** A thread's view of the table. */
  private static final class User {
    private final Table table;
    private final Random random;
    private final Zipf favourites;
    private final AtomicInteger rows;

    User(Table table, Random random, Zipf favourites, AtomicInteger rows) {
      this.table = table;
      this.random = random;
      this.favourites = favourites;
      this.rows = rows;
    }

    int favourite() {
      return favourites.next();
    }

    /** The later a row came, the more it is wanted. */
    int latest() {
      return Math.max(0, rows.get() - 1 - favourites.next());
    }

    void read(int row) throws IOException {
      table.get(new Get(key(row)));
    }

    void update(int row) throws IOException {
      Put put = new Put(key(row));
      addField(put, random.nextInt(FIELDS), random);
      table.put(put);
    }

    void insert() throws IOException {
      table.put(whole(rows.getAndIncrement(), random));
    }

    void scan(int row) throws IOException {
      int length = 1 + random.nextInt(LONGEST_SCAN);
      Scan scan = new Scan().withStartRow(key(row)).setLimit(length).setCaching(length);
      try (ResultScanner scanner = table.getScanner(scan)) {
        scanner.next(length);
      }
    }
  }

  private YcsbClient() {}

  /**
   * {@code load ROWS} or {@code run ROWS OPERATIONS}, on the cluster that hbase-site.xml on the
   * class path names; so many operations for each workload.
   */
  public static void main(String[] args) throws Exception {
    int rows = Integer.parseInt(args[1]);
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      switch (args[0]) {
        case "load" -> load(connection, rows);
        case "run" -> run(connection, rows, Integer.parseInt(args[2]));
        default -> throw new IllegalArgumentException(args[0] + ": load and run are possible");
      }
    }
  }

  private static void load(Connection connection, int rows) throws IOException {
    try (Admin admin = connection.getAdmin();
        BufferedMutator table = connection.getBufferedMutator(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      Random random = new Random(SEED);
      for (int row = 0; row < rows; row++) {
        table.mutate(whole(row, random));
      }
      table.flush();
      admin.flush(TABLE);
    }
  }

  private static void run(Connection connection, int rows, int operations)
      throws InterruptedException, ExecutionException {
    AtomicInteger present = new AtomicInteger(rows);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    for (Workload workload : Workload.values()) {
      List<Callable<Void>> users = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(SEED + workload.ordinal() * THREADS + i);
        users.add(
            () -> {
              Zipf favourites = new Zipf(rows, EXPONENT, random);
              try (Table table = connection.getTable(TABLE)) {
                User user = new User(table, random, favourites, present);
                for (int done = 0; done < operations / THREADS; done++) {
                  workload.operation(user);
                }
              }
              return null;
            });
      }
      for (Future<Void> user : threads.invokeAll(users)) {
        user.get();
      }
      System.out.println("workload " + workload + ": " + operations + " operations");
    }
    threads.shutdown();
  }

  private static Put whole(int row, Random random) {
    Put put = new Put(key(row));
    for (int field = 0; field < FIELDS; field++) {
      addField(put, field, random);
    }
    return put;
  }

  private static void addField(Put put, int field, Random random) {
    byte[] value = new byte[FIELD_BYTES];
    random.nextBytes(value);
    put.addColumn(FAMILY, ("field" + field).getBytes(StandardCharsets.US_ASCII), value);
  }

  /** Rows come in no order of their numbers, as by YCSB's hash. */
  private static byte[] key(int row) {
    long hash = (row + 1) * 0x9E3779B97F4A7C15L;
    hash = (hash ^ hash >>> 32) * 0xD6E8FEB86659FD93L;
    return ("user" + Long.toUnsignedString(hash ^ hash >>> 32)).getBytes(StandardCharsets.US_ASCII);
  }
}
