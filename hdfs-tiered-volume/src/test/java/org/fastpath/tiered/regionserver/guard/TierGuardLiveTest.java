package org.fastpath.tiered.regionserver.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.fastpath.cluster.VolumeSpeed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real HBase with its log on a fast volume and its store files on a slow one, and writers that want
 * more than that takes.
 */
class TierGuardLiveTest {
  private static final Path OURS = Path.of("target", "classes").toAbsolutePath();
  private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=";
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int WRITERS = 3;
  private static final int BATCH = 50;
  private static final int VALUE_BYTES = 2000;
  private static final int REGIONS = 8;
  private static final double SLOW = 4 << 20;

  /** Bytes that the slow volume takes in several seconds. */
  private static final long THROTTLED_BYTES = 12 << 20;

  /** Much more than a second's worth of a throttle. */
  private static final long UNTHROTTLED_BYTES = 10 << 20;

  @TempDir static Path directory;

  private static LocalCluster cluster;
  private static Connection connection;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.builder()
            .directory(directory.resolve("cluster"))
            .volumes("[SSD]", "[DISK]")
            .slowVolume(1, VolumeSpeed.unlimited())
            .conf("hbase.wal.storage.policy", "ALL_SSD")
            .conf("hbase.quota.enabled", "true")
            // Memstores that are full after seconds, and begin to be flushed halfway.
            .conf("hbase.regionserver.global.memstore.size", "0.05")
            .conf("hbase.regionserver.global.memstore.size.lower.limit", "0.5")
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .daemon(Role.MASTER, DaemonOptions::quickStart)
            .daemon(Role.REGIONSERVER, TierGuardLiveTest::guarded)
            .start();
    Configuration configuration = new Configuration();
    cluster.clientConfiguration().forEach(configuration::set);
    connection = ConnectionFactory.createConnection(configuration);
  }

  private static void guarded(DaemonOptions options) {
    options
        .prependToClasspath(OURS)
        .heap("512m")
        .quickStart()
        .conf("hbase.coprocessor.regionserver.classes", TierGuard.class.getName())
        .conf(GuardOptions.INTERVAL_MILLIS, "100")
        .conf(GuardOptions.SUSTAINED_SECONDS, "3")
        .conf(GuardOptions.RECOVERY_SECONDS, "20")
        .conf(GuardOptions.SURVEY_SECONDS, "1")
        .conf(GuardOptions.THROTTLE, "true");
  }

  @AfterAll
  static void stop() throws IOException {
    if (connection != null) {
      connection.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void aFastLogOverASlowTierIsSeenThrottledAndUndone() throws Exception {
    TableName table = TableName.valueOf("loaded");
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = new byte[] {(byte) (i * (256 / REGIONS))};
    }
    create(table, null, splits);
    cluster.daemon(Role.DATANODE, 0).slowVolume(1, VolumeSpeed.bytesPerSecond(SLOW));

    AtomicBoolean enough = new AtomicBoolean();
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    List<Future<Integer>> written = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      written.add(writers.submit(() -> write(table, number, enough)));
    }
    try {
      Eventually.holds(
          () -> {
            assertThat(guard("overloadedCount")).isEqualTo(1);
            assertThat(guard("allowedRateBytes")).isBetween(1L, (long) (4 * SLOW));
          });
      long more = guard("walAppendedBytes") + THROTTLED_BYTES;
      Eventually.holds(() -> assertThat(guard("walAppendedBytes")).isGreaterThan(more));
      assertThat(guard("allowedRateBytes")).isPositive();
      Eventually.holds(() -> assertThat(toldToWait()).isPositive());
    } finally {
      enough.set(true);
      writers.shutdown();
    }
    int rows = sum(written);

    cluster.daemon(Role.DATANODE, 0).slowVolume(1, VolumeSpeed.unlimited());
    Eventually.holds(
        () -> {
          assertThat(guard("overloadedCount")).isZero();
          assertThat(guard("allowedRateBytes")).isZero();
        });
    assertThat(guard("overloadCount")).isEqualTo(1);
    assertThat(guard("warningCount")).isEqualTo(1);
    assertThat(Files.readAllLines(regionServer().log()))
        .filteredOn(line -> line.contains("writes arrive at"))
        .singleElement()
        .asString()
        .contains("DISK", "hbase.hstore.flusher.count", "throttled to");
    assertThat(count(table)).isEqualTo(rows);

    long toldBefore = toldToWait();
    long more = guard("walAppendedBytes") + UNTHROTTLED_BYTES;
    try (Table unthrottled = connection.getTable(table)) {
      for (int row = 0; row * VALUE_BYTES <= UNTHROTTLED_BYTES; row += BATCH) {
        unthrottled.put(batch(WRITERS, row));
      }
    }
    Eventually.holds(() -> assertThat(guard("walAppendedBytes")).isGreaterThan(more));
    assertThat(toldToWait()).isEqualTo(toldBefore);
  }

  @Test
  void filesThatAreNotWhereTheirPolicyWantsThemAreCounted() throws Exception {
    TableName name = TableName.valueOf("fallen");
    create(name, "PROVIDED");
    try (Table table = connection.getTable(name);
        Admin admin = connection.getAdmin()) {
      table.put(new Put(FAMILY).addColumn(FAMILY, FAMILY, FAMILY));
      admin.flush(name);
    }
    Eventually.holds(
        () -> assertThat(records("TierPlacement")).contains("\"PROVIDED\"", "\"DISK\""));
    Eventually.holds(() -> assertThat(records("TierTables")).contains("\"fallen\"", "\"DISK\""));
  }

  private static void create(TableName name, String policy, byte[]... splits) throws IOException {
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(FAMILY);
    if (policy != null) {
      family.setStoragePolicy(policy);
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name).setColumnFamily(family.build()).build(),
          splits.length == 0 ? null : splits);
    }
  }

  /** Until it is enough; returns how many rows were acknowledged. */
  private static int write(TableName name, int writer, AtomicBoolean enough) throws IOException {
    int rows = 0;
    try (Table table = connection.getTable(name)) {
      while (!enough.get()) {
        table.put(batch(writer, rows));
        rows += BATCH;
      }
    }
    return rows;
  }

  private static List<Put> batch(int writer, int first) {
    List<Put> batch = new ArrayList<>();
    for (int row = first; row < first + BATCH; row++) {
      batch.add(new Put(key(writer, row)).addColumn(FAMILY, FAMILY, new byte[VALUE_BYTES]));
    }
    return batch;
  }

  /** Over all regions in turn. */
  private static byte[] key(int writer, int row) {
    return Bytes.add(
        new byte[] {(byte) (row * (256 / REGIONS))}, Bytes.toBytes(writer), Bytes.toBytes(row));
  }

  private static int sum(List<Future<Integer>> counts)
      throws InterruptedException, ExecutionException {
    int sum = 0;
    for (Future<Integer> count : counts) {
      sum += count.get();
    }
    return sum;
  }

  private static int count(TableName name) throws IOException {
    int rows = 0;
    Scan scan = new Scan().setFilter(new FirstKeyOnlyFilter()).setCaching(1000);
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        assertThat(row.isEmpty()).isFalse();
        rows++;
      }
    }
    return rows;
  }

  private static Daemon regionServer() {
    return cluster.daemon(Role.REGIONSERVER, 0);
  }

  private static long guard(String attribute) throws Exception {
    return Eventually.shown(regionServer(), BEAN + "TierGuard", attribute);
  }

  /** Returns how many requests were sent back because of a quota. */
  private static long toldToWait() throws IOException {
    return regionServer()
        .jmxAttribute(BEAN + "IPC", "exceptions.rpcThrottling")
        .map(Long::parseLong)
        .orElse(0L);
  }

  private static String records(String source) throws IOException {
    return regionServer().jmx(BEAN + source);
  }
}
