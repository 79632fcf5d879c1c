package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.OffHeapCacheRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Observers throw during requests, on a RegionServer with the off-heap cache and reader and on a
 * stock one with BucketCache. Neither holds a block at the end. HBASE-26944, HBASE-29154 and
 * HBASE-26812 are the reports.
 */
class FailingObserversLiveTest {
  private static final Path OURS = Path.of("target", "classes").toAbsolutePath();
  private static final int ROWS = 300;
  private static final int FAILURES = Boolean.getBoolean("nightly") ? 1000 : 60;

  @TempDir static Path directory;

  private static LocalCluster cluster;
  private static Connection connection;

  @BeforeAll
  static void start() throws IOException {
    Path observer = directory.resolve("observer");
    copy(observer, FailingObserver.class);
    cluster =
        LocalCluster.builder()
            .directory(directory.resolve("cluster"))
            .regionServers(2)
            .daemon(
                Role.REGIONSERVER,
                options ->
                    options
                        .prependToClasspath(OURS, observer)
                        .heap("512m")
                        .jvmFlags("-XX:MaxDirectMemorySize=256m")
                        .quickStart()
                        .conf(
                            "hbase.coprocessor.user.region.classes",
                            FailingObserver.class.getName()))
            .daemon(Role.REGIONSERVER, 0, options -> options.conf(ours()))
            .daemon(Role.REGIONSERVER, 1, options -> options.conf(bucketCache()))
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .start();
    Configuration configuration = new Configuration();
    cluster.clientConfiguration().forEach(configuration::set);
    connection = ConnectionFactory.createConnection(configuration);
    try (Admin admin = connection.getAdmin()) {
      admin.balancerSwitch(false, true);
    }
  }

  /** Not the tests' directory: a class in it stands for one of HBase's. */
  private static void copy(Path directory, Class<?> type) throws IOException {
    String name = type.getName().replace('.', '/') + ".class";
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
      Files.copy(in, file);
    }
  }

  private static Map<String, String> ours() {
    return Map.of(
        "hbase.regionserver.impl",
        OffHeapCacheRegionServer.class.getName(),
        CacheOptions.SIZE,
        "32m",
        CacheOptions.DEBUG,
        "true",
        "hbase.fastpath.offheap-reader.enabled",
        "true");
  }

  private static Map<String, String> bucketCache() {
    return Map.of("hbase.bucketcache.ioengine", "offheap", "hbase.bucketcache.size", "32");
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
  void neitherServerHoldsABlockAfterHooksThatThrow() throws Exception {
    TableName ours = create("ours", 0);
    TableName stock = create("stock", 1);
    for (TableName name : List.of(ours, stock)) {
      try (Table table = connection.getTable(name)) {
        for (int i = 0; i < FAILURES; i++) {
          fail(table, i);
        }
        assertThat(asked(table, FailingObserver.ROWS)).isEqualTo(ROWS);
      }
    }
    try (Table table = connection.getTable(stock)) {
      Eventually.holds(() -> assertThat(asked(table, FailingObserver.HELD)).isZero());
    }
    ServerPages pages = new ServerPages(cluster.daemon(Role.REGIONSERVER, 0));
    assertThat(pages.metric("OffHeapCache", "hitCount")).isPositive();
    Eventually.holds(
        () -> {
          assertThat(cluster.daemon(Role.REGIONSERVER, 0).jmx(PinHolders.NAME))
              .containsPattern("\"Holders\" ?: ?\\[ ?]");
          assertThat(pages.metric("OffHeapCache", "pinnedBytes")).isZero();
        });
  }

  private static TableName create(String name, int server) throws IOException {
    TableName table = TableName.valueOf(name);
    try (Admin admin = connection.getAdmin();
        Table rows = connection.getTable(table)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(FailingObserver.FAMILY)
                      .setBlocksize(4096)
                      .build())
              .build());
      int port = cluster.daemon(Role.REGIONSERVER, server).port();
      ServerName target =
          admin.getRegionServers().stream()
              .filter(running -> running.getPort() == port)
              .max(Comparator.comparingLong(ServerName::getStartCode))
              .orElseThrow();
      for (RegionInfo region : admin.getRegions(table)) {
        admin.move(region.getEncodedNameAsBytes(), target);
      }
      List<Put> puts = new ArrayList<>();
      for (String prefix : List.of("a", FailingObserver.NEXT)) {
        for (int row = 0; row < ROWS; row++) {
          puts.add(
              new Put(key(prefix, row))
                  .addColumn(FailingObserver.FAMILY, FailingObserver.FAMILY, new byte[200]));
        }
      }
      rows.put(puts);
      admin.flush(table);
    }
    return table;
  }

  private static byte[] key(String prefix, int row) {
    return Bytes.toBytes(String.format("%s%06d", prefix, row));
  }

  private static void fail(Table table, int number) throws IOException {
    byte[] row = key("a", number % ROWS);
    assertThatThrownBy(
            () ->
                table.get(
                    new Get(row).setAttribute(FailingObserver.HOOK, hook(FailingObserver.GET))))
        .isInstanceOf(DoNotRetryIOException.class);
    requireFailure(
        table,
        new Scan()
            .withStartRow(row)
            .setAttribute(FailingObserver.HOOK, hook(FailingObserver.OPEN)));
    requireFailure(
        table, new Scan().withStartRow(key(FailingObserver.NEXT, number % ROWS)).setCaching(7));
    assertThat(table.get(new Get(row)).isEmpty()).isFalse();
  }

  private static void requireFailure(Table table, Scan scan) {
    assertThatThrownBy(
            () -> {
              try (ResultScanner scanner = table.getScanner(scan)) {
                scanner.next();
              }
            })
        .isInstanceOf(DoNotRetryIOException.class);
  }

  private static byte[] hook(String name) {
    return Bytes.toBytes(name);
  }

  private static int asked(Table table, String what) throws IOException {
    Result answer = table.get(new Get(key("a", 0)).setAttribute(FailingObserver.HOOK, hook(what)));
    return Bytes.toInt(answer.value());
  }
}
