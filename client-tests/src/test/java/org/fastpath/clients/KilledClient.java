package org.fastpath.clients;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Increments, appends, and puts on a condition in several threads, and prints each operation that
 * was acknowledged. After some of them it halts and closes nothing, while others are under way.
 */
public final class KilledClient {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] SUM = Bytes.toBytes("sum");
  static final byte[] TOKENS = Bytes.toBytes("tokens");
  static final byte[] VERSION = Bytes.toBytes("version");
  static final String TOKEN_END = ";";
  static final int THREADS = 4;
  static final int ROWS = 5;

  /** The exit code of a process that got SIGKILL. */
  static final int KILLED = 137;

  private final Table table;
  private final String name;
  private int made;

  private KilledClient(Table table, String name) {
    this.table = table;
    this.name = name;
  }

  /**
   * Runs it.
   *
   * @param args the table, a name that no other client has, and the number of operations
   */
  public static void main(String[] args) throws Exception {
    AtomicInteger left = new AtomicInteger(Integer.parseInt(args[2]));
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      Thread[] threads = new Thread[THREADS];
      for (int i = 0; i < THREADS; i++) {
        Table table = connection.getTable(TableName.valueOf(args[0]));
        KilledClient client = new KilledClient(table, args[1] + "-" + i);
        threads[i] = new Thread(() -> client.work(left));
        threads[i].start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    System.exit(1);
  }

  private void work(AtomicInteger left) {
    try {
      while (true) {
        operation(ThreadLocalRandom.current().nextInt(3), row());
        if (left.decrementAndGet() == 0) {
          Runtime.getRuntime().halt(KILLED);
        }
      }
    } catch (Exception e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(2);
    }
  }

  private static String row() {
    return "row" + ThreadLocalRandom.current().nextInt(ROWS);
  }

  private void operation(int kind, String row) throws Exception {
    byte[] key = Bytes.toBytes(row);
    switch (kind) {
      case 0 -> {
        byte[] sum = table.increment(new Increment(key).addColumn(FAMILY, SUM, 1)).value();
        acknowledged(SUM, row, Long.toString(Bytes.toLong(sum)));
      }
      case 1 -> {
        String token = name + "-" + made++;
        table.append(
            new Append(key)
                .addColumn(FAMILY, TOKENS, Bytes.toBytes(token + TOKEN_END))
                .setReturnResults(false));
        acknowledged(TOKENS, row, token);
      }
      default -> {
        byte[] before = table.get(new Get(key).addColumn(FAMILY, VERSION)).value();
        long next = before == null ? 1 : Bytes.toLong(before) + 1;
        CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(key);
        builder =
            before == null
                ? builder.ifNotExists(FAMILY, VERSION)
                : builder.ifMatches(FAMILY, VERSION, CompareOperator.EQUAL, before);
        Put put = new Put(key).addColumn(FAMILY, VERSION, Bytes.toBytes(next));
        if (table.checkAndMutate(builder.build(put)).isSuccess()) {
          acknowledged(VERSION, row, Long.toString(next));
        }
      }
    }
  }

  private static void acknowledged(byte[] column, String row, String value) {
    System.out.println(Acknowledged.MARK + Bytes.toString(column) + " " + row + " " + value);
  }

  /** An operation that a server has acknowledged. */
  record Acknowledged(String column, String row, String value) {
    private static final String MARK = "ACKNOWLEDGED ";

    static boolean is(String line) {
      return line.startsWith(MARK) && line.split(" ").length == 4;
    }

    static Acknowledged of(String line) {
      String[] words = line.split(" ");
      return new Acknowledged(words[1], words[2], words[3]);
    }
  }
}
