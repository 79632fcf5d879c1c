package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.zookeeper.ZooKeeper;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a RegionServer and measures the time until its rows are served again. Meanwhile a disk of
 * each DataNode is 100 times slower, and replicas are copied. Compares HDFS's locks of the dataset
 * with those of {@link TieredDatasetFactory}, in turn. A night makes 20 rounds ({@code
 * -Drounds=20}).
 *
 * <p>HBase's files are on a volume that stays fast, so the slow disk delays them only by locks.
 * With files on the slow disk, a round took minutes on both sides, whatever the locks. A round
 * takes some seconds now: splitting and opening hbase:meta, then the same for the table.
 */
@EnabledIfSystemProperty(named = "nightly", matches = "true")
class LogRecoveryTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 20);
  private static final int ROWS = 200;
  private static final int READ_ROWS = 20;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final TableName NAME = TableName.valueOf("recovered");
  private static final double NANOS_PER_SECOND = 1e9;
  private static final String SERVERS = "/hbase/rs";
  private static final int SESSION_MILLIS = 60_000;

  @TempDir private Path directory;

  /** A cluster with the locks of one side. */
  private final class Side implements AutoCloseable {
    private final LocalCluster cluster;
    private final Configuration conf = new Configuration();
    private final FileSystem fs;
    private final Connection connection;
    private final SlowDiskLoad load;
    private int round;
    private int victim;

    Side(String name, boolean ours) throws IOException {
      cluster =
          SlowDiskLoad.builder(directory.resolve(name), ours)
              .regionServers(2)
              .beforeHBase(LogRecoveryTest::placeOnFastVolume)
              .conf("hbase.lease.recovery.first.pause", "500")
              .conf("hbase.lease.recovery.pause", "200")
              .start();
      cluster.clientConfiguration().forEach(conf::set);
      // A client waits up to 200 pauses between attempts: here 0.4 s.
      conf.set("hbase.client.retries.number", "3000");
      conf.set("hbase.client.pause", "2");
      conf.set("hbase.client.operation.timeout", "600000");
      conf.set("hbase.client.meta.operation.timeout", "600000");
      fs = FileSystem.newInstance(conf);
      load = new SlowDiskLoad(cluster, fs);
      connection = ConnectionFactory.createConnection(conf);
      try (Admin admin = connection.getAdmin()) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build(),
            new byte[][] {Bytes.toBytes(ROWS / 2)});
      }
    }

    /** Kills a RegionServer; returns the seconds until all rows are served. */
    double round() throws Exception {
      round++;
      put();
      double seconds;
      try (SlowDiskLoad.Running running = load.start()) {
        long begin = System.nanoTime();
        cluster.daemon(Role.REGIONSERVER, victim).kill();
        endSession();
        get();
        seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
      }
      cluster.daemon(Role.REGIONSERVER, victim).restart();
      victim = 1 - victim;
      return seconds;
    }

    /**
     * Reports the killed RegionServer to the HMaster at once, as HBase's start script does. The
     * session timeout is equal for both sides and would dominate the result.
     */
    private void endSession() throws Exception {
      String port = "," + cluster.daemon(Role.REGIONSERVER, victim).port() + ",";
      try (ZooKeeper zooKeeper =
          new ZooKeeper(
              "localhost:" + conf.get("hbase.zookeeper.property.clientPort"),
              SESSION_MILLIS,
              event -> {})) {
        for (String server : zooKeeper.getChildren(SERVERS, false)) {
          if (server.contains(port)) {
            zooKeeper.delete(SERVERS + "/" + server, -1);
          }
        }
      }
    }

    private void put() throws IOException {
      List<Put> puts = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        puts.add(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, Bytes.toBytes(round)));
      }
      try (Table table = connection.getTable(NAME)) {
        table.put(puts);
      }
    }

    private void get() throws IOException {
      try (Table table = connection.getTable(NAME)) {
        for (int row = 0; row < ROWS; row += ROWS / READ_ROWS) {
          byte[] value = table.get(new Get(Bytes.toBytes(row))).getValue(FAMILY, FAMILY);
          assertThat(Bytes.toInt(value)).isEqualTo(round);
        }
      }
    }

    @Override
    public void close() throws IOException {
      try (LocalCluster closing = cluster) {
        connection.close();
        fs.close();
      }
    }
  }

  private static void placeOnFastVolume(Map<String, String> client) throws IOException {
    Configuration conf = new Configuration();
    client.forEach(conf::set);
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(conf.get("hbase.rootdir"));
      fs.mkdirs(root);
      fs.setStoragePolicy(root, "ALL_SSD");
    }
  }

  @Test
  void rowsAreServedAgainAsSoonAsWithHdfssLocks() throws Exception {
    try (Side stock = new Side("stock", false);
        Side ours = new Side("ours", true)) {
      assertThat(SlowDiskLoad.compare(ROUNDS, stock::round, ours::round))
          .as("lower end of the interval of 95 % of ours by HDFS's")
          .isLessThanOrEqualTo(1);
    }
  }
}
