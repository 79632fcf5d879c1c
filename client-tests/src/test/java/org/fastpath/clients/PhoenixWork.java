package org.fastpath.clients;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * A program that works on Phoenix tables by JDBC and compares each answer with a model. Tables are
 * salted and unsalted, with encoded and plain columns, each with a global and a local index. Rows
 * are written, changed, deleted, and copied by UPSERT SELECT. Tables are flushed, compacted and
 * split. Its arguments are the JDBC URL and the number of rows. It ends with an exception at the
 * first wrong answer.
 */
public final class PhoenixWork {
  /** The last line of a run without a wrong answer. */
  static final String DONE = "all answers of Phoenix are right";

  private static final int VALUES = 40;
  private static final int PAGE = 150;
  private static final long POLL_MILLIS = 200;
  private static final long PATIENCE_NANOS = 120_000_000_000L;

  /** A kind of table, with the options that create it. */
  private enum Kind {
    SALTED("SALT_BUCKETS=3, DATA_BLOCK_ENCODING='FAST_DIFF'"),
    ENCODED("COLUMN_ENCODED_BYTES=1, DATA_BLOCK_ENCODING='NONE'"),
    PLAIN("COLUMN_ENCODED_BYTES=0, DATA_BLOCK_ENCODING='ROW_INDEX_V1', COMPRESSION='GZ'");

    private final String options;

    Kind(String options) {
      this.options = options;
    }
  }

  private record Row(String text, int number) {}

  private final Connection connection;
  private final Admin admin;
  private final int rows;
  private final Random random;
  private final String table;
  private final Map<Integer, Row> model = new TreeMap<>();

  private PhoenixWork(Connection connection, Admin admin, Kind kind, int rows, long seed) {
    this.connection = connection;
    this.admin = admin;
    this.rows = rows;
    table = "FP_" + kind;
    random = new Random(seed + kind.ordinal());
  }

  /** Works on each kind of table. */
  public static void main(String[] args) throws Exception {
    long seed = Long.getLong("phoenix.seed", System.nanoTime());
    System.out.println("Replay with -Dphoenix.seed=" + seed);
    try (Connection connection = DriverManager.getConnection(args[0]);
        org.apache.hadoop.hbase.client.Connection hbase =
            ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = hbase.getAdmin()) {
      for (Kind kind : Kind.values()) {
        new PhoenixWork(connection, admin, kind, Integer.parseInt(args[1]), seed).run(kind);
      }
    }
    System.out.println(DONE);
    System.exit(0);
  }

  private void run(Kind kind) throws Exception {
    create(kind);
    fill();
    check("written");
    change();
    check("changed");
    flush();
    check("flushed");
    change();
    flush();
    check("changed again");
    compact();
    check("compacted");
    if (splitsLocalIndexes()) {
      split(table);
      check("split");
      change();
      check("changed after the split");
    }
    copy();
  }

  /**
   * Returns whether Phoenix can open halves of a local index. It calls a constructor that HBase
   * 2.6.4 has removed. Without it a RegionServer aborts, also a stock one.
   */
  static boolean splitsLocalIndexes() throws ClassNotFoundException {
    Class<?> storeFile = Class.forName("org.apache.hadoop.hbase.regionserver.StoreFileInfo");
    List<Class<?>> wanted =
        List.of(Configuration.class, FileSystem.class, Path.class, boolean.class);
    return Arrays.stream(storeFile.getConstructors())
        .anyMatch(constructor -> List.of(constructor.getParameterTypes()).equals(wanted));
  }

  private void create(Kind kind) throws SQLException {
    execute(
        "CREATE TABLE %s (id INTEGER NOT NULL PRIMARY KEY, text VARCHAR, other.number INTEGER) %s"
            .formatted(table, kind.options));
    execute("CREATE INDEX G_%s ON %s (text) INCLUDE (other.number)".formatted(table, table));
    execute("CREATE LOCAL INDEX L_%s ON %s (other.number)".formatted(table, table));
  }

  private void fill() throws SQLException {
    for (int id = 0; id < rows; id++) {
      upsert(id);
    }
    connection.commit();
  }

  private void change() throws SQLException {
    for (int i = 0; i < rows / 4; i++) {
      upsert(random.nextInt(rows));
    }
    connection.commit();
    String gone = text();
    execute("DELETE FROM %s WHERE text = '%s'".formatted(table, gone));
    model.values().removeIf(row -> row.text().equals(gone));
    int from = random.nextInt(rows);
    execute("DELETE FROM %s WHERE id BETWEEN %d AND %d".formatted(table, from, from + 20));
    connection.commit();
    model.keySet().removeIf(id -> id >= from && id <= from + 20);
  }

  private void upsert(int id) throws SQLException {
    Row row = new Row(text(), random.nextInt(rows));
    try (PreparedStatement statement =
        connection.prepareStatement("UPSERT INTO " + table + " VALUES (?, ?, ?)")) {
      statement.setInt(1, id);
      statement.setString(2, row.text());
      statement.setInt(3, row.number());
      statement.executeUpdate();
    }
    model.put(id, row);
  }

  private String text() {
    return "text" + random.nextInt(VALUES);
  }

  private void copy() throws Exception {
    String copy = table + "_COPY";
    execute("CREATE TABLE " + copy + " (id INTEGER NOT NULL PRIMARY KEY, text VARCHAR)");
    connection.setAutoCommit(true);
    execute("UPSERT INTO %s SELECT id, text FROM %s".formatted(copy, table));
    connection.setAutoCommit(false);
    checkCopy(copy, "copied");
    split(copy);
    checkCopy(copy, "split");
  }

  private void checkCopy(String copy, String when) throws SQLException {
    System.out.println(copy + " " + when);
    compare(
        "copy, " + when,
        select("SELECT id, text FROM " + copy + " ORDER BY id"),
        lines((id, row) -> id + " " + row.text()));
  }

  private void check(String when) throws SQLException {
    System.out.println(table + " " + when);
    compare(
        when + ", all",
        select("SELECT /*+ NO_INDEX */ id, text, number FROM %s ORDER BY id".formatted(table)),
        lines((id, row) -> id + " " + row.text() + " " + row.number()));
    checkGlobalIndex(when);
    checkLocalIndex(when);
    checkAggregates(when);
    checkPages(when);
  }

  private void checkGlobalIndex(String when) throws SQLException {
    String text = text();
    compare(
        when + ", by the global index",
        select(
            "SELECT /*+ INDEX(%s G_%s) */ id, number FROM %s WHERE text = '%s' ORDER BY id"
                .formatted(table, table, table, text)),
        lines((id, row) -> row.text().equals(text) ? id + " " + row.number() : null));
  }

  private void checkLocalIndex(String when) throws SQLException {
    int from = random.nextInt(rows);
    int to = from + rows / 10;
    String query =
        "SELECT /*+ INDEX(%s L_%s) */ id, text FROM %s WHERE number BETWEEN %d AND %d ORDER BY id"
            .formatted(table, table, table, from, to);
    List<String> plan = select("EXPLAIN " + query);
    if (plan.stream().noneMatch(line -> line.contains("L_" + table))) {
      throw new IllegalStateException("the query does not use the local index: " + plan);
    }
    compare(
        when + ", by the local index",
        select(query),
        lines(
            (id, row) ->
                row.number() >= from && row.number() <= to ? id + " " + row.text() : null));
  }

  private void checkAggregates(String when) throws SQLException {
    Map<String, Long> sums =
        model.values().stream()
            .collect(
                Collectors.groupingBy(
                    Row::text, TreeMap::new, Collectors.summingLong(Row::number)));
    for (String hint : List.of("", "/*+ NO_INDEX */")) {
      compare(
          when + ", summed " + hint,
          select(
              "SELECT %s text, SUM(number) FROM %s GROUP BY text ORDER BY text"
                  .formatted(hint, table)),
          sums.entrySet().stream().map(sum -> sum.getKey() + " " + sum.getValue()).toList());
      compare(
          when + ", counted " + hint,
          select("SELECT %s COUNT(*) FROM %s".formatted(hint, table)),
          List.of(Integer.toString(model.size())));
    }
  }

  private void checkPages(String when) throws SQLException {
    List<String> all = lines((id, row) -> id.toString());
    List<String> forward = new ArrayList<>();
    List<String> page = List.of("-1");
    while (!page.isEmpty()) {
      String last = page.get(page.size() - 1);
      page =
          select(
              "SELECT /*+ NO_INDEX */ id FROM %s WHERE id > %s ORDER BY id LIMIT %d"
                  .formatted(table, last, PAGE));
      forward.addAll(page);
    }
    compare(when + ", by pages", forward, all);
    int last = Math.min(all.size(), PAGE);
    List<String> reversed = new ArrayList<>(all.subList(all.size() - last, all.size()));
    Collections.reverse(reversed);
    compare(
        when + ", backwards",
        select(
            "SELECT /*+ NO_INDEX */ id FROM %s ORDER BY id DESC LIMIT %d".formatted(table, PAGE)),
        reversed);
    compare(
        when + ", with an offset",
        select("SELECT /*+ NO_INDEX */ id FROM %s ORDER BY id LIMIT 20 OFFSET 30".formatted(table)),
        all.subList(30, 50));
  }

  /** Returns a line for a row, or null for none. */
  private interface Line {
    String of(Integer id, Row row);
  }

  private List<String> lines(Line line) {
    List<String> lines = new ArrayList<>();
    model.forEach(
        (id, row) -> {
          String text = line.of(id, row);
          if (text != null) {
            lines.add(text);
          }
        });
    return lines;
  }

  private void compare(String when, List<String> answer, List<String> expected) {
    if (!answer.equals(expected)) {
      List<String> missing = new ArrayList<>(expected);
      missing.removeAll(answer);
      List<String> wrong = new ArrayList<>(answer);
      wrong.removeAll(expected);
      throw new IllegalStateException(
          "%s, %s: %d lines instead of %d; missing %s; wrong %s"
              .formatted(table, when, answer.size(), expected.size(), missing, wrong));
    }
  }

  private List<String> select(String query) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery(query)) {
      int columns = results.getMetaData().getColumnCount();
      while (results.next()) {
        StringBuilder line = new StringBuilder(String.valueOf(results.getObject(1)));
        for (int i = 2; i <= columns; i++) {
          line.append(' ').append(results.getObject(i));
        }
        lines.add(line.toString());
      }
    }
    return lines;
  }

  private void execute(String statement) throws SQLException {
    try (Statement executed = connection.createStatement()) {
      executed.execute(statement);
    }
  }

  private void flush() throws IOException {
    admin.flush(TableName.valueOf(table));
    admin.flush(TableName.valueOf("G_" + table));
  }

  private void compact() throws Exception {
    TableName name = TableName.valueOf(table);
    admin.majorCompact(name);
    awaitTrue("a compaction", () -> admin.getCompactionState(name) == CompactionState.NONE);
  }

  private void split(String splitTable) throws Exception {
    TableName name = TableName.valueOf(splitTable);
    admin.flush(name);
    List<RegionInfo> before = admin.getRegions(name);
    RegionInfo region = before.get(0);
    byte[] middle = before.size() == 1 ? key(rows / 2) : saltedKey(region, rows / 2);
    admin.splitRegionAsync(region.getRegionName(), middle).get();
    awaitTrue(
        "a split",
        () -> admin.getRegions(name).size() == before.size() + 1 && admin.isTableAvailable(name));
  }

  /** Returns the row key of an INTEGER. */
  static byte[] key(int id) {
    return new byte[] {(byte) (id >> 24 ^ 0x80), (byte) (id >> 16), (byte) (id >> 8), (byte) id};
  }

  /** Returns the row key behind the salt byte of the region's keys. */
  private static byte[] saltedKey(RegionInfo region, int id) {
    byte[] key = key(id);
    byte salt = region.getStartKey().length == 0 ? 0 : region.getStartKey()[0];
    return new byte[] {salt, key[0], key[1], key[2], key[3]};
  }

  /** A condition that becomes true. */
  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void awaitTrue(String awaited, Condition condition) throws Exception {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("no success within the time limit: " + awaited);
      }
      Thread.sleep(POLL_MILLIS);
    }
  }
}
