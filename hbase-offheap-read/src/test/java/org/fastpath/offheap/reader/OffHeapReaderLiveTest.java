package org.fastpath.offheap.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.OffHeapCacheRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.fastpath.offheap.cache.CheckedTable;
import org.fastpath.offheap.cache.ServerPages;
import org.fastpath.offheap.inline.InlineOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two RegionServers run with cache and reader, and freed memory is overwritten. The table is larger
 * than their caches. Regions are flushed, compacted, split and moved, and a RegionServer leaves.
 * Every value is right in both directions of scans, and no block stays pinned.
 */
class OffHeapReaderLiveTest {
  private static final Path OURS = Path.of("target", "classes").toAbsolutePath();
  private static final TableName TABLE = TableName.valueOf("checked");
  private static final byte[] PLAIN = Bytes.toBytes("n");
  private static final byte[] ENCODED = Bytes.toBytes("d");
  private static final int ROWS = 4_000;
  private static final long SEED = 20155;

  @TempDir Path directory;

  private LocalCluster cluster;
  private Connection connection;
  private Admin admin;

  @BeforeEach
  void start() throws IOException {
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
                        .jvmFlags("-XX:MaxDirectMemorySize=256m")
                        .conf(ours()))
            .start();
    Configuration configuration = new Configuration();
    cluster.clientConfiguration().forEach(configuration::set);
    connection = ConnectionFactory.createConnection(configuration);
    admin = connection.getAdmin();
    admin.balancerSwitch(false, true);
  }

  private static Map<String, String> ours() {
    return Map.of(
        "hbase.regionserver.impl",
        OffHeapCacheRegionServer.class.getName(),
        "hbase.fastpath.offheap-cache.size",
        "4m",
        "hbase.fastpath.offheap-cache.debug",
        "true",
        ReaderOptions.ENABLED,
        "true",
        InlineOptions.ENABLED,
        "true",
        // With this interval, compacted files are closed and their blocks evicted within the
        // test.
        "hbase.hfile.compaction.discharger.interval",
        "1000");
  }

  @AfterEach
  void stop() throws IOException {
    if (connection != null) {
      admin.close();
      connection.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void everyValueIsRightAndNothingStaysPinned() throws Exception {
    admin.createTable(table(), new byte[][] {CheckedTable.key(ROWS / 2)});
    try (CheckedTable table =
        new CheckedTable(
            connection, TABLE, ROWS, List.of(PLAIN, ENCODED), OffHeapReaderLiveTest::valueBytes)) {
      moveAllTo(0);
      table.fill();
      admin.flush(TABLE);
      table.checkAll(false);
      table.start(SEED);
      admin.splitRegionAsync(regions().get(0).getRegionName(), CheckedTable.key(ROWS / 4)).get();
      table.checkAll(true);
      admin.flush(TABLE);
      admin.move(regions().get(0).getEncodedNameAsBytes(), serverName(1));
      admin.majorCompact(TABLE);
      admin.move(regions().get(2).getEncodedNameAsBytes(), serverName(1));
      table.checkAll(false);
      Eventually.holds(
          () -> assertThat(pages(1).metric("OffHeapReader", "scannerCount")).isPositive());
      assertThat(pages(1).metric("OffHeapReader", "leanStoreCount")).isPositive();
      Eventually.holds(() -> assertThatNothingFailed(1));
      cluster.daemon(Role.REGIONSERVER, 1).stop();
      table.checkAll(true);
      table.stop();
      table.checkAll(false);
      assertThat(table.checked()).isGreaterThan(5 * ROWS);
    }
    Eventually.holds(
        () -> {
          assertThat(pages(0).metric("OffHeapReader", "openFileCount")).isPositive();
          assertThat(pages(0).metric("InlineReads", "answeredCount")).isPositive();
          assertThat(pages(0).metric("InlineReads", "missCount")).isPositive();
          assertThat(pages(0).metric("OffHeapCache", "evictedBlockCount")).isPositive();
        });
    admin.disableTable(TABLE);
    // Metrics are up to a second old, and scanners of ended clients have leases.
    Eventually.holds(OffHeapReaderLiveTest.this::assertThatNothingIsHeld);
  }

  private static TableDescriptor table() {
    return TableDescriptorBuilder.newBuilder(TABLE)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(PLAIN))
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(ENCODED)
                .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
                .build())
        .build();
  }

  /** Returns a size: mostly small, sometimes zero, rarely larger than a block. */
  private static int valueBytes(int row) {
    return row % 500 == 7 ? 100_000 : row % 13 * 200;
  }

  private void moveAllTo(int server) throws IOException {
    for (RegionInfo region : regions()) {
      admin.move(region.getEncodedNameAsBytes(), serverName(server));
    }
  }

  private List<RegionInfo> regions() throws IOException {
    return admin.getRegions(TABLE);
  }

  private ServerName serverName(int index) throws IOException {
    int port = cluster.daemon(Role.REGIONSERVER, index).port();
    return admin.getRegionServers().stream()
        .filter(server -> server.getPort() == port)
        .max(Comparator.comparingLong(ServerName::getStartCode))
        .orElseThrow();
  }

  private ServerPages pages(int server) {
    return new ServerPages(cluster.daemon(Role.REGIONSERVER, server));
  }

  private void assertThatNothingFailed(int server) throws Exception {
    ServerPages pages = pages(server);
    assertThat(pages.metric("OffHeapReader", "failedScannerCount")).isZero();
    assertThat(pages.metric("OffHeapReader", "misconfiguredStoreCount")).isZero();
    assertThat(pages.metric("OffHeapReader", "unverifiedVersionCount")).isZero();
    assertThat(pages.metric("OffHeapCache", "unreadableBlockCount")).isZero();
    assertThat(pages.metric("InlineReads", "failureCount")).isZero();
    assertThat(pages.metric("FastpathMetrics", "registrationErrorCount")).isZero();
  }

  private void assertThatNothingIsHeld() throws Exception {
    assertThatNothingFailed(0);
    ServerPages pages = pages(0);
    assertThat(pages.metric("OffHeapReader", "openFileCount")).isZero();
    assertThat(pages.metric("OffHeapCache", "pinnedBytes")).isZero();
    assertThat(pages.metric("OffHeapCache", "evictedPinnedBytes")).isZero();
  }
}
