package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.OffHeapCacheRegionServer;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.fastpath.cluster.ClusterException;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real RegionServer with the cache in debug mode, and a stock one beside it that has the same jar
 * and no key. A table larger than the cache is read and written while its regions are flushed,
 * compacted, split and moved. Every value is right, nothing stays pinned, and HBase's own pages
 * show the cache.
 */
class OffHeapCacheLiveTest {
  private static final Path OURS = Path.of("target", "classes").toAbsolutePath();
  private static final String IMPLEMENTATION = "hbase.regionserver.impl";
  private static final TableName TABLE = TableName.valueOf("checked");
  private static final int ROWS = 10_000;
  private static final int REGIONS = 4;
  private static final long CACHE_BYTES = 16 << 20;
  private static final long SEED = 20154;

  @TempDir static Path directory;

  private static LocalCluster cluster;
  private static Connection connection;
  private static Admin admin;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.builder()
            .directory(directory.resolve("cluster"))
            .regionServers(2)
            .daemon(
                Role.REGIONSERVER,
                options ->
                    options
                        .prependToClasspath(OURS)
                        .heap("512m")
                        .jvmFlags("-XX:MaxDirectMemorySize=256m"))
            .daemon(Role.REGIONSERVER, 0, options -> options.conf(ours()))
            .daemon(Role.REGIONSERVER, 1, DaemonOptions::quickStart)
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .start();
    Configuration configuration = new Configuration();
    cluster.clientConfiguration().forEach(configuration::set);
    connection = ConnectionFactory.createConnection(configuration);
    admin = connection.getAdmin();
    admin.balancerSwitch(false, true);
  }

  private static Map<String, String> ours() {
    return Map.of(
        IMPLEMENTATION,
        OffHeapCacheRegionServer.class.getName(),
        CacheOptions.SIZE,
        String.valueOf(CACHE_BYTES),
        CacheOptions.DEBUG,
        "true");
  }

  @AfterAll
  static void stop() throws IOException {
    if (connection != null) {
      admin.close();
      connection.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void everyValueIsRightWhileRegionsAreFlushedCompactedSplitAndMoved() throws Exception {
    byte[][] splits =
        IntStream.range(1, REGIONS)
            .mapToObj(i -> CheckedTable.key(ROWS / REGIONS * i))
            .toArray(byte[][]::new);
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(CheckedTable.FAMILY))
            .build(),
        splits);
    try (CheckedTable table = new CheckedTable(connection, TABLE, ROWS)) {
      moveAllTo(0);
      table.fill();
      admin.flush(TABLE);
      table.checkAll();
      table.start(SEED);
      admin
          .splitRegionAsync(
              regions().get(1).getRegionName(), CheckedTable.key(ROWS / REGIONS * 3 / 2))
          .get();
      admin.flush(TABLE);
      moveAndBack(regions().get(0));
      admin.majorCompact(TABLE);
      moveAndBack(regions().get(3));
      admin.flush(TABLE);
      table.stop();
      admin.disableTable(TABLE);
      admin.enableTable(TABLE);
      moveAllTo(0);
      table.checkAll();
      assertThat(table.checked()).isGreaterThan(2 * ROWS);
    }
    Eventually.holds(
        () -> {
          // Each time: a compaction that ends after the reads leaves files that nobody has read.
          readAll();
          assertThatTheCacheIsShown();
        });
    assertThatHBaseShowsTheCache();
    assertThatTheOtherServerIsStock();
  }

  private static void readAll() throws IOException {
    try (Table table = connection.getTable(TABLE);
        ResultScanner scanner = table.getScanner(CheckedTable.FAMILY)) {
      scanner.forEach(row -> assertThat(row.isEmpty()).isFalse());
    }
  }

  private static void moveAndBack(RegionInfo region) throws IOException {
    admin.move(region.getEncodedNameAsBytes(), serverName(1));
    admin.move(region.getEncodedNameAsBytes(), serverName(0));
  }

  private static void moveAllTo(int server) throws IOException {
    for (RegionInfo region : regions()) {
      admin.move(region.getEncodedNameAsBytes(), serverName(server));
    }
  }

  private static List<RegionInfo> regions() throws IOException {
    return admin.getRegions(TABLE);
  }

  private static ServerName serverName(int index) throws IOException {
    int port = cluster.daemon(Role.REGIONSERVER, index).port();
    return admin.getRegionServers().stream()
        .filter(server -> server.getPort() == port)
        .max(Comparator.comparingLong(ServerName::getStartCode))
        .orElseThrow();
  }

  private static void assertThatTheCacheIsShown() throws Exception {
    ServerPages pages = pages(0);
    assertThat(pages.metric("OffHeapCache", "capacityBytes")).isEqualTo(CACHE_BYTES);
    assertThat(pages.metric("OffHeapCache", "pinnedBytes")).isZero();
    assertThat(pages.metric("OffHeapCache", "evictedPinnedBytes")).isZero();
    assertThat(pages.metric("OffHeapCache", "unreadableBlockCount")).isZero();
    assertThat(pages.metric("OffHeapCache", "evictedBlockCount")).isPositive();
    assertThat(pages.metric("OffHeapCache", "fillCount")).isPositive();
    assertThat(pages.metric("OffHeapCacheSupport", "unverifiedVersionCount")).isZero();
    assertThat(pages.metric("FastpathMetrics", "registrationErrorCount")).isZero();
    long hits = pages.metric("OffHeapCache", "hitCount");
    long misses = pages.metric("OffHeapCache", "missCount");
    assertThat(pages.metric("Server", "l2CacheHitCount")).isEqualTo(hits).isPositive();
    assertThat(pages.metric("Server", "l2CacheMissCount")).isEqualTo(misses).isPositive();
    assertThat(pages.metric("Server", "blockCacheHitCount"))
        .isEqualTo(hits + pages.metric("Server", "l1CacheHitCount"));
    assertThatRegionsAndTablesAreShown(pages);
  }

  private static void assertThatRegionsAndTablesAreShown(ServerPages pages) throws Exception {
    long cached = pages.metric("OffHeapCache", "cachedBytes");
    long table =
        pages.records("OffHeapCacheTables").stream()
            .filter(record -> TABLE.getQualifierAsString().equals(record.get("tag.table")))
            .mapToLong(record -> Long.parseLong(record.get("cachedBytes")))
            .sum();
    assertThat(table).isPositive().isLessThanOrEqualTo(cached);
    assertThat(pages.records("OffHeapCacheRegions"))
        .extracting(record -> record.get("tag.region"))
        .containsExactlyInAnyOrderElementsOf(
            admin.getRegions(serverName(0)).stream().map(RegionInfo::getEncodedName).toList());
  }

  private static void assertThatHBaseShowsTheCache() throws IOException {
    ServerPages pages = pages(0);
    assertThat(pages.status(""))
        .contains(OffHeapCombinedBlockCache.class.getSimpleName())
        .contains(OffHeapBlockCache.class.getSimpleName());
    JsonArray blocks = json(pages.status("?format=json&bcn=L2"));
    assertThat(blocks.get(1).toString()).contains("99thPercentile");
    // HBase 2.6.1 and 2.5.13 leave out the commas between files.
    String byFile = pages.status("?format=json&bcn=L2&bcv=file").replaceAll("}\\s*\\{", "},{");
    assertThat(json(byFile).size()).isPositive();
  }

  private static JsonArray json(String page) {
    return JsonParser.parseString(page).getAsJsonArray();
  }

  private static void assertThatTheOtherServerIsStock() throws IOException {
    ServerPages pages = pages(1);
    assertThat(pages.shows("OffHeapCache")).isFalse();
    assertThat(pages.shows("OffHeapCacheSupport")).isFalse();
    assertThat(pages.status("")).contains("No L2 deployed").doesNotContain("OffHeap");
  }

  @Test
  void memoryThatCannotBeHadStopsTheServerWithOneClearMessage() throws Exception {
    Daemon server = cluster.daemon(Role.REGIONSERVER, 1);
    try {
      server.restart(options -> options.conf(ours()).conf(CacheOptions.SIZE, "8g"));
    } catch (ClusterException e) {
      // It ended before it was ready, as it must.
    }
    Eventually.holds(() -> assertThat(server.isAlive()).isFalse());
    assertThat(Files.readString(server.log()))
        .contains(
            "CacheConfigurationException: "
                + CacheOptions.SIZE
                + " asks for 8589934592 bytes off the heap, which this JVM does not allow:"
                + " -XX:MaxDirectMemorySize is 268435456 bytes");
    server.restart();
  }

  private static ServerPages pages(int server) {
    return new ServerPages(cluster.daemon(Role.REGIONSERVER, server));
  }
}
