package org.fastpath.metrics.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.MeteredRegion;
import org.fastpath.cluster.ClusterException;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Regions split, merge and move between two real RegionServers while clients read and write. No
 * count is lost, no region is left behind or missing, and no daemon complains.
 */
class RegionMetricsLiveTest {
  private static final Path OURS = Path.of("target", "classes").toAbsolutePath();
  private static final Path TESTS = Path.of("target", "test-classes").toAbsolutePath();
  private static final TableName TABLE = TableName.valueOf("moving");
  private static final int REGIONS = 8;
  private static final int ROUNDS = 2;
  private static final long SEED = 20131;

  private static final Pattern COMPLAINT =
      Pattern.compile(
          " (ERROR|WARN) .*(fastpath|etrics: )"
              + "|[Mm]etrics source .*already exists"
              + "|Exception in getMetrics|Error getting metrics|Error invoking method getMetrics"
              + "|InstanceAlreadyExistsException");

  @TempDir static Path directory;

  private static LocalCluster cluster;
  private static Connection connection;
  private static Admin admin;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.builder()
            .directory(directory.resolve("cluster"))
            .dataNodes(2)
            .regionServers(2)
            .daemon(
                Role.REGIONSERVER,
                options ->
                    options
                        .prependToClasspath(OURS)
                        .quickStart()
                        .heap("512m")
                        .conf(
                            "hbase.coprocessor.region.classes",
                            RegionMetricsObserver.class.getName()))
            // Both ways to put it in. The coprocessor is there too and must not count twice.
            .daemon(
                Role.REGIONSERVER,
                1,
                options -> options.conf("hbase.hregion.impl", MeteredRegion.class.getName()))
            .daemon(
                Role.DATANODE,
                options ->
                    options
                        .prependToClasspath(OURS, TESTS)
                        .quickStart()
                        .conf("dfs.datanode.plugins", MarkerPlugin.class.getName()))
            .start();
    Configuration configuration = new Configuration();
    cluster.clientConfiguration().forEach(configuration::set);
    connection = ConnectionFactory.createConnection(configuration);
    admin = connection.getAdmin();
    admin.balancerSwitch(false, true);
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
  void nothingIsLostOrLeftWhenRegionsSplitMergeAndMove() throws Exception {
    Map<Daemon, Long> logged = new HashMap<>();
    for (Daemon daemon : cluster.daemons()) {
      logged.put(daemon, (long) Files.readAllLines(daemon.log()).size());
    }
    createTable();
    try (TableLoad load = new TableLoad(connection, TABLE)) {
      load.fill();
      load.start(SEED);
      for (int round = 0; round < ROUNDS; round++) {
        moveThingsAbout(round);
      }
      spread();
      load.stop();
      Eventually.holds(RegionMetricsLiveTest::assertThatTheOpenRegionsAreShownAndNoOther);
      Eventually.holds(() -> assertCounts(load));
    }
    Eventually.holds(RegionMetricsLiveTest::assertHealthy);
    for (Daemon daemon : cluster.daemons()) {
      try (Stream<String> lines = Files.lines(daemon.log()).skip(logged.get(daemon))) {
        assertThat(lines.filter(line -> COMPLAINT.matcher(line).find()))
            .as(daemon.name())
            .isEmpty();
      }
    }
  }

  @Test
  void aWrongNumberOfRegionsIsAClearError() throws Exception {
    Daemon server = cluster.daemon(Role.REGIONSERVER, 1);
    try {
      server.restart(options -> options.conf(QuantileLimit.KEY, "many"));
    } catch (ClusterException e) {
      // It was given a region, and went down, before it was ready.
    }
    Eventually.holds(
        () -> {
          if (server.isAlive()) {
            moveAnyRegionTo(server);
          }
          assertThat(server.isAlive()).isFalse();
        });
    assertThat(Files.readString(server.log()))
        .contains(QuantileLimit.KEY + " is 'many'; allowed are whole numbers from 0 to 100000");
    server.restart();
  }

  private static void createTable() throws IOException {
    byte[][] splits =
        IntStream.range(1, REGIONS).mapToObj(i -> boundary(2 * i)).toArray(byte[][]::new);
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(TableLoad.FAMILY))
            .build(),
        splits);
  }

  /** The boundaries between the first regions are the even ones, the odd ones are their middles. */
  private static byte[] boundary(int number) {
    return TableLoad.key(TableLoad.ROWS * number / (2 * REGIONS));
  }

  /** Each round has four of the first regions: splits one, merges two, moves one and back. */
  private static void moveThingsAbout(int round) throws Exception {
    int first = REGIONS / ROUNDS * round;
    admin.splitRegionAsync(region(2 * first).getRegionName(), boundary(2 * first + 1)).get();
    byte[][] pair = {
      region(2 * first + 2).getEncodedNameAsBytes(), region(2 * first + 4).getEncodedNameAsBytes()
    };
    admin.mergeRegionsAsync(pair, false).get();
    byte[] moved = region(2 * first + 6).getEncodedNameAsBytes();
    for (Daemon server : regionServers()) {
      admin.move(moved, serverName(server));
    }
  }

  /** So that the table is shown on both servers. */
  private static void spread() throws Exception {
    for (int i = 0; i < 2; i++) {
      admin.move(
          region(2 * REGIONS * i).getEncodedNameAsBytes(), serverName(regionServers().get(i)));
    }
  }

  /** Returns the region that a boundary, or the last row, belongs to. */
  private static RegionInfo region(int boundary) throws IOException {
    byte[] row = TableLoad.key(Math.min(TableLoad.ROWS * boundary / (2 * REGIONS), TableLoad.ROWS));
    try (RegionLocator locator = connection.getRegionLocator(TABLE)) {
      return locator.getRegionLocation(row, true).getRegion();
    }
  }

  /** Any but hbase:meta; fails as long as the servers are not all at work. */
  private static void moveAnyRegionTo(Daemon regionServer) {
    try {
      for (ServerName server : admin.getRegionServers()) {
        for (RegionInfo region : admin.getRegions(server)) {
          if (!region.isMetaRegion()) {
            admin.move(region.getEncodedNameAsBytes(), serverName(regionServer));
            return;
          }
        }
      }
    } catch (IOException e) {
      throw new AssertionError("no region could be moved to " + regionServer, e);
    }
  }

  /**
   * Expects all operations of the clients, and few more. A client without an answer in time repeats
   * an operation. Counts that were added twice would exceed the limit.
   */
  private static void assertCounts(TableLoad load) throws IOException {
    Map<String, Long> done = new HashMap<>();
    for (TimedOperation operation : TimedOperation.values()) {
      done.put(operation.metric() + "Count", load.done(operation));
    }
    long scans = done.remove("scanNextCount");
    done.put(
        RegionCount.WRITE.metric(),
        load.done(TimedOperation.PUT) + load.done(TimedOperation.DELETE));
    done.put(RegionCount.READ.metric(), load.rowsRead());
    Map<String, Long> counted = tableOfBothServers();
    done.forEach(
        (metric, times) -> {
          assertThat(times).as(metric).isPositive();
          assertThat(counted.get(metric)).as(metric).isBetween(times, times + times / 20 + 10);
        });
    assertThat(counted.get("scanNextCount")).isGreaterThanOrEqualTo(scans).isPositive();
    assertThat(counted.get("getP99Nanos")).isPositive();
    assertThat(counted.get("scanNextMaxNanos")).isPositive();
  }

  /** Returns the sum of the table's metrics on both servers. */
  private static Map<String, Long> tableOfBothServers() throws IOException {
    Map<String, Long> sums = new HashMap<>();
    for (Daemon server : regionServers()) {
      Map<String, String> table =
          JmxRecords.of(server, "FastpathTables").stream()
              .filter(record -> TABLE.getQualifierAsString().equals(record.get("tag.table")))
              .findFirst()
              .orElseThrow(() -> new AssertionError(server + " does not show the table"));
      table.forEach(
          (metric, value) -> {
            if (!metric.startsWith("tag.") && value.matches("\\d+")) {
              sums.merge(metric, Long.parseLong(value), Long::sum);
            }
          });
    }
    return sums;
  }

  private static void assertThatTheOpenRegionsAreShownAndNoOther() throws IOException {
    for (Daemon server : regionServers()) {
      assertThat(JmxRecords.of(server, "FastpathRegions"))
          .extracting(record -> record.get("tag.region"))
          .containsExactlyInAnyOrderElementsOf(
              admin.getRegions(serverName(server)).stream()
                  .map(RegionInfo::getEncodedName)
                  .toList());
    }
  }

  private static void assertHealthy() throws IOException {
    for (Daemon server : regionServers()) {
      assertThat(JmxRecords.beans(server, "Hadoop:*"))
          .contains(bean("FastpathRegions"), bean("FastpathTables"), bean("FastpathRegionObserver"))
          .noneMatch(name -> name.matches(".*Fastpath.*-\\d+"));
      assertThat(JmxRecords.of(server, "FastpathRegionObserver"))
          .singleElement()
          .satisfies(record -> assertThat(record).containsEntry("failedHookCount", "0"));
      assertThat(JmxRecords.of(server, "FastpathMetrics"))
          .singleElement()
          .satisfies(record -> assertThat(record).containsEntry("registrationErrorCount", "0"));
    }
    for (int i = 0; i < 2; i++) {
      assertThat(JmxRecords.beans(cluster.daemon(Role.DATANODE, i), "Hadoop:*"))
          .contains("Hadoop:service=DataNode,name=" + MarkerPlugin.SOURCE)
          .noneMatch(name -> name.matches(".*(Fastpath|Plugin).*-\\d+"));
    }
  }

  private static String bean(String source) {
    return "Hadoop:service=HBase,name=RegionServer,sub=" + source;
  }

  private static List<Daemon> regionServers() {
    return List.of(cluster.daemon(Role.REGIONSERVER, 0), cluster.daemon(Role.REGIONSERVER, 1));
  }

  /** Of its latest start. */
  private static ServerName serverName(Daemon regionServer) throws IOException {
    return admin.getRegionServers().stream()
        .filter(server -> server.getPort() == regionServer.port())
        .max(Comparator.comparingLong(ServerName::getStartCode))
        .orElseThrow(() -> new IOException(regionServer + " is not known to the master"));
  }
}
