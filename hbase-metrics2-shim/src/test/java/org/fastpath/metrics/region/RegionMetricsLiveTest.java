package org.fastpath.metrics.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
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
import org.fastpath.cluster.ClusterException;
import org.fastpath.cluster.Daemon;
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
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long POLL_MILLIS = 300;

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
                        .heap("512m")
                        .conf(
                            "hbase.coprocessor.region.classes",
                            RegionMetricsObserver.class.getName()))
            .daemon(
                Role.DATANODE,
                options ->
                    options
                        .prependToClasspath(OURS, TESTS)
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
    createTable();
    try (TableLoad load = new TableLoad(connection, TABLE)) {
      load.fill();
      load.start(SEED);
      for (int round = 0; round < ROUNDS; round++) {
        moveThingsAbout(round);
      }
      spread();
      load.stop();
      await("the regions that are open", RegionMetricsLiveTest::allOpenRegionsAreShownAndNoOther);
      await("the last counts", () -> sum("putCount") >= load.done(TimedOperation.PUT));
      assertCounts(load);
    }
    assertHealthy();
  }

  @Test
  void aWrongNumberOfRegionsIsAClearError() throws Exception {
    Daemon server = cluster.daemon(Role.REGIONSERVER, 1);
    try {
      server.restart(options -> options.conf(QuantileLimit.KEY, "many"));
      admin.move(anyRegion(), serverName(server));
    } catch (ClusterException | IOException e) {
      // It went down at its first region, which is what is waited for.
    }
    await("the end of the RegionServer", () -> !server.isAlive());
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

  /** The region that a boundary, or the last row, belongs to. */
  private static RegionInfo region(int boundary) throws IOException {
    byte[] row = TableLoad.key(Math.min(TableLoad.ROWS * boundary / (2 * REGIONS), TableLoad.ROWS));
    try (RegionLocator locator = connection.getRegionLocator(TABLE)) {
      return locator.getRegionLocation(row, true).getRegion();
    }
  }

  /** Any but hbase:meta. */
  private static byte[] anyRegion() throws IOException {
    for (ServerName server : admin.getRegionServers()) {
      for (RegionInfo region : admin.getRegions(server)) {
        if (!region.isMetaRegion()) {
          return region.getEncodedNameAsBytes();
        }
      }
    }
    throw new IOException("no region is open");
  }

  private static void assertCounts(TableLoad load) throws IOException {
    for (TimedOperation operation :
        List.of(
            TimedOperation.GET,
            TimedOperation.MULTI_GET_ROW,
            TimedOperation.PUT,
            TimedOperation.DELETE)) {
      assertCounted(operation.metric() + "Count", load.done(operation));
    }
    assertCounted(
        RegionCount.WRITE.metric(),
        load.done(TimedOperation.PUT) + load.done(TimedOperation.DELETE));
    assertCounted(RegionCount.READ.metric(), load.rowsRead());
    assertThat(sum("scanNextCount")).isGreaterThanOrEqualTo(load.done(TimedOperation.SCAN_NEXT));
    assertThat(sum("getP99Nanos")).isPositive();
    assertThat(sum("scanNextMaxNanos")).isPositive();
  }

  /**
   * All that clients did, and hardly more: a client that had no answer in time does it again, but
   * counts that were added twice would show.
   */
  private static void assertCounted(String metric, long done) throws IOException {
    assertThat(done).as(metric).isPositive();
    assertThat(sum(metric)).as(metric).isBetween(done, done + done / 20 + 10);
  }

  /** Of the table, over both servers. */
  private static long sum(String metric) throws IOException {
    long sum = 0;
    for (Daemon server : regionServers()) {
      for (Map<String, String> record : JmxRecords.of(server, "FastpathTables")) {
        if (TABLE.getQualifierAsString().equals(record.get("tag.table"))) {
          sum += Long.parseLong(record.get(metric));
        }
      }
    }
    return sum;
  }

  private static boolean allOpenRegionsAreShownAndNoOther() throws IOException {
    for (Daemon server : regionServers()) {
      Set<String> open = new HashSet<>();
      for (RegionInfo region : admin.getRegions(serverName(server))) {
        open.add(region.getEncodedName());
      }
      List<String> shown = new ArrayList<>();
      Collection<Map<String, String>> records = JmxRecords.of(server, "FastpathRegions");
      records.forEach(record -> shown.add(record.get("tag.region")));
      if (shown.size() != open.size() || !open.equals(Set.copyOf(shown))) {
        return false;
      }
    }
    return true;
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
    for (Daemon daemon : cluster.daemons()) {
      try (Stream<String> lines = Files.lines(daemon.log())) {
        assertThat(lines.filter(line -> COMPLAINT.matcher(line).find()))
            .as(daemon.name())
            .isEmpty();
      }
    }
  }

  private static String bean(String source) {
    return "Hadoop:service=HBase,name=RegionServer,sub=" + source;
  }

  private static List<Daemon> regionServers() {
    return List.of(cluster.daemon(Role.REGIONSERVER, 0), cluster.daemon(Role.REGIONSERVER, 1));
  }

  private static ServerName serverName(Daemon regionServer) throws IOException {
    return admin.getRegionServers().stream()
        .filter(server -> server.getPort() == regionServer.port())
        .findFirst()
        .orElseThrow(() -> new IOException(regionServer + " is not known to the master"));
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    Instant end = Instant.now().plus(PATIENCE);
    while (!condition.call()) {
      assertThat(Instant.now()).as(what).isBefore(end);
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }
}
