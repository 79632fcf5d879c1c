package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.OffHeapCacheRegionServer;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real RegionServer with its cache in a file is stopped and killed. After each restart the table
 * is read from the cache, except for one or two blocks of each HFile.
 */
class WarmRestartLiveTest {
  private static final Path OURS = Path.of("target", "classes").toAbsolutePath();
  private static final TableName TABLE = TableName.valueOf("warm");
  private static final int ROWS = 5000;
  private static final int REGIONS = 4;

  @TempDir private Path directory;

  private LocalCluster start() {
    return LocalCluster.builder()
        .directory(directory.resolve("cluster"))
        .regionServers(1)
        .daemon(
            Role.REGIONSERVER,
            options ->
                options
                    .prependToClasspath(OURS)
                    .quickStart()
                    .heap("512m")
                    .conf("hbase.regionserver.impl", OffHeapCacheRegionServer.class.getName())
                    .conf(CacheOptions.SIZE, "64m")
                    .conf(CacheOptions.FILE, directory.resolve("cache").toString())
                    .conf(CacheOptions.DEBUG, "true"))
        .daemon(Role.DATANODE, DaemonOptions::quickStart)
        .start();
  }

  @Test
  void tableIsReadFromTheCacheAfterARestart() throws Exception {
    try (LocalCluster cluster = start();
        Connection connection = connect(cluster);
        Admin admin = connection.getAdmin();
        CheckedTable table = new CheckedTable(connection, TABLE, ROWS)) {
      byte[][] splits = new byte[REGIONS - 1][];
      for (int i = 1; i < REGIONS; i++) {
        splits[i - 1] = CheckedTable.key(ROWS / REGIONS * i);
      }
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(CheckedTable.FAMILY))
              .build(),
          splits);
      table.fill();
      admin.flush(TABLE);
      table.checkAll();
      Daemon server = cluster.daemon(Role.REGIONSERVER, 0);
      server.restart();
      readFromTheCache(table, server);
      server.kill();
      server.restart();
      readFromTheCache(table, server);
    }
  }

  private static Connection connect(LocalCluster cluster) throws IOException {
    Configuration configuration = new Configuration();
    cluster.clientConfiguration().forEach(configuration::set);
    return ConnectionFactory.createConnection(configuration);
  }

  private static void readFromTheCache(CheckedTable table, Daemon server) throws Exception {
    table.checkAll();
    ServerPages pages = new ServerPages(server);
    Eventually.holds(() -> assertThatNearlyAllWasRestored(pages));
    assertThat(Files.readString(server.log())).contains("Restored ");
  }

  private static void assertThatNearlyAllWasRestored(ServerPages pages) throws Exception {
    long restored = pages.metric("OffHeapCache", "restoredBlockCount");
    long hits = pages.metric("OffHeapCache", "hitCount");
    long misses = pages.metric("OffHeapCache", "missCount");
    System.out.printf("%d blocks came back, %d hits, %d misses%n", restored, hits, misses);
    assertThat(restored).isGreaterThan(ROWS / 20);
    assertThat(hits).isGreaterThan(10 * misses);
    assertThat(pages.metric("OffHeapCache", "damagedBlockCount")).isZero();
    assertThat(pages.metric("OffHeapCache", "changedFileCount")).isZero();
    assertThat(pages.metric("OffHeapCache", "refusedRecordCount")).isZero();
  }
}
