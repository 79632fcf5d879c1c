package org.fastpath.bench.everything;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.bench.engine.Layout;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.FastpathSizes;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Modules;
import org.fastpath.cluster.Role;
import org.fastpath.tools.jmx.JmxPage;
import org.fastpath.tools.jmx.Login;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs all modules in one cluster of two RegionServers and three DataNodes. Tables of several kinds
 * are written, flushed, compacted and read, and a RegionServer is killed. Every feature reports
 * that it is active, and no log has a warning of ours. Then stock HBase and HDFS read the same
 * data.
 */
@EnabledIfSystemProperty(named = "nightly", matches = "true")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class EverythingOnIT {
  private static final int ROWS = 3_000;
  private static final byte[][] SPLITS = {Bytes.toBytes("000900"), Bytes.toBytes("002000")};
  private static final String FEATURES = "org.fastpath:type=Feature,name=*";
  private static final String HOST = "http://127.0.0.1:";
  private static final JmxPage PAGE = new JmxPage(connection -> connection, Login.CALLER);

  /** The attributes of tables by their names. */
  private static final Map<String, Map<String, String>> TABLES =
      Map.of(
          "plain", Map.of(),
          "striped",
              Map.of(
                  "hbase.hstore.engine.class",
                  "org.apache.hadoop.hbase.regionserver.StripeStoreEngine",
                  "hbase.hstore.blockingStoreFiles",
                  "100"),
          "pinned", Map.of("FASTPATH_HDFS_CACHE", "ALWAYS"));

  private static final Map<Role, List<String>> EXPECTED =
      Map.of(
          Role.REGIONSERVER,
          List.of(
              "cache",
              "checksum-hadoop",
              "checksum-hbase",
              "inline-reads",
              "lean-scans",
              "mapped-blocks",
              "offheap-reader",
              "pinning",
              "read-warm-up",
              "region-metrics",
              "tier-guard",
              "tier-rules",
              "zero-copy"),
          Role.MASTER,
          List.of("mover", "tier-rules"),
          Role.DATANODE,
          List.of("checksum-hadoop", "latency-volumes", "tiered-dataset"),
          Role.NAMENODE,
          List.of("storage-policies"));

  private final Layout layout = Layout.here();

  @TempDir private Path directory;

  @Test
  void allModulesWorkTogetherAndLeaveStockData() throws Exception {
    try (LocalCluster cluster = everythingOn().start();
        Connection connection = connect(cluster)) {
      create(connection);
      List<CheckedRows> first = rows(connection, 1);
      writeAndFlush(connection, first);
      checkAll(first);
      List<CheckedRows> second = rows(connection, 2);
      writeAndFlush(connection, second);
      compact(connection);
      checkAll(second);
      everyFeatureIsActive(cluster);
      mappedBlocksAreServed(cluster);
      thePageShowsIt(cluster.daemon(Role.REGIONSERVER, 1));
      checkLogs(cluster);
      cluster.daemon(Role.REGIONSERVER, 0).kill();
      checkAll(second);
      cluster.daemon(Role.REGIONSERVER, 0).restart();
      checkAll(second);
      everyFeatureIsActive(cluster);
    }
    try (LocalCluster stock = cluster().start();
        Connection connection = connect(stock)) {
      checkAll(rows(connection, 2));
    }
  }

  private ClusterBuilder cluster() {
    return LocalCluster.builder()
        .directory(directory.resolve("cluster"))
        .jars(layout.libDirectory())
        .dataNodes(3)
        .regionServers(2)
        .volumes("[SSD]", "[DISK]")
        // ZooKeeper detects a killed RegionServer within this time; clients wait longer.
        .conf("zookeeper.session.timeout", "20000")
        .conf("hbase.client.scanner.timeout.period", "240000")
        .daemon(Role.REGIONSERVER, options -> options.heap("512m"))
        .daemon(Role.NAMENODE, options -> options.quickStart())
        .daemon(Role.DATANODE, options -> options.quickStart());
  }

  private ClusterBuilder everythingOn() {
    return cluster()
        .fastpath(Modules.ALL)
        .fastpathJars(layout.jar("."))
        .fastpathSizes(FastpathSizes.small())
        .conf("hbase.fastpath.inline-reads.enabled", "true")
        .conf("hbase.fastpath.warm-up.seconds", "10")
        .conf("hbase.fastpath.tiering.flush", "ALL_SSD")
        .conf("hbase.fastpath.tiering.major-compaction", "HOT")
        .conf("hbase.fastpath.tier-guard.survey-seconds", "1")
        .conf("hbase.fastpath.hdfs-cache.interval-seconds", "1")
        .conf("dfs.fastpath.storage-policies", "LUKEWARM")
        .conf("dfs.fastpath.storage-policy.LUKEWARM.id", "3")
        .conf("dfs.fastpath.storage-policy.LUKEWARM.storage-types", "SSD,DISK");
  }

  private static Connection connect(LocalCluster cluster) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    cluster.clientConfiguration().forEach(conf::set);
    return ConnectionFactory.createConnection(conf);
  }

  private static void create(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (Map.Entry<String, Map<String, String>> table : TABLES.entrySet()) {
        TableDescriptorBuilder builder =
            TableDescriptorBuilder.newBuilder(TableName.valueOf(table.getKey()))
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(CheckedRows.FAMILY)
                        .setDataBlockEncoding(encoding(table.getKey()))
                        .setBlocksize(8 << 10)
                        .build());
        table.getValue().forEach(builder::setValue);
        admin.createTable(builder.build(), SPLITS);
      }
    }
  }

  private static DataBlockEncoding encoding(String table) {
    return table.equals("plain") ? DataBlockEncoding.FAST_DIFF : DataBlockEncoding.NONE;
  }

  private static List<CheckedRows> rows(Connection connection, int version) {
    return TABLES.keySet().stream()
        .map(name -> new CheckedRows(connection, TableName.valueOf(name), ROWS, version))
        .toList();
  }

  private static void writeAndFlush(Connection connection, List<CheckedRows> tables)
      throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (CheckedRows rows : tables) {
        rows.write();
        admin.flush(rows.table());
      }
    }
  }

  private static void compact(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      for (String table : TABLES.keySet()) {
        admin.majorCompact(TableName.valueOf(table));
      }
      for (String table : TABLES.keySet()) {
        Eventually.holds(
            () ->
                assertThat(admin.getCompactionState(TableName.valueOf(table)))
                    .isEqualTo(CompactionState.NONE));
      }
    }
  }

  private static void checkAll(List<CheckedRows> tables) throws IOException {
    for (CheckedRows rows : tables) {
      rows.check();
    }
  }

  private static void everyFeatureIsActive(LocalCluster cluster) throws Exception {
    for (Daemon daemon : cluster.daemons()) {
      if (EXPECTED.containsKey(daemon.role())) {
        Eventually.holds(() -> everyFeatureIsActive(daemon));
      }
    }
  }

  private static void everyFeatureIsActive(Daemon daemon) throws IOException {
    Map<String, String> states = new TreeMap<>();
    for (JsonNode bean : PAGE.beans(HOST + daemon.httpPort(), FEATURES)) {
      states.put(
          bean.path("Feature").asText(),
          (bean.path("State").asText() + " " + bean.path("Reason").asText()).trim());
    }
    assertThat(states)
        .as(daemon.name())
        .containsKeys(EXPECTED.get(daemon.role()).toArray(new String[0]));
    List<String> wrong = new ArrayList<>();
    states.forEach(
        (feature, state) -> {
          boolean asked = EXPECTED.get(daemon.role()).contains(feature);
          if (asked
              ? !state.equals("ACTIVE")
              : !state.startsWith("OFF") && !state.equals("ACTIVE")) {
            wrong.add(feature + ": " + state);
          }
        });
    assertThat(wrong).as(daemon.name()).isEmpty();
  }

  /** A pinned store is read from locked memory. */
  private static void mappedBlocksAreServed(LocalCluster cluster) throws Exception {
    try (Connection connection = connect(cluster)) {
      CheckedRows pinned = new CheckedRows(connection, TableName.valueOf("pinned"), ROWS, 2);
      Eventually.holds(
          () -> {
            pinned.check();
            long served = 0;
            for (int i = 0; i < 2; i++) {
              served +=
                  PAGE.bean(
                          HOST + cluster.daemon(Role.REGIONSERVER, i).httpPort(),
                          "Hadoop:service=HBase,name=RegionServer,sub=MappedBlocks")
                      .path("mappedBlockCount")
                      .asLong();
            }
            assertThat(served).isPositive();
          });
    }
  }

  private static void thePageShowsIt(Daemon server) throws IOException {
    assertThat(get(server, "/rs-status")).contains("href=\"/fastpath\">Fast Path</a>");
    String page = get(server, "/fastpath");
    assertThat(page).contains("<svg", "tier-guard", "pinned").doesNotContain("<script");
    for (String feature : EXPECTED.get(Role.REGIONSERVER)) {
      assertThat(page).contains("<td>" + feature + "</td><td><span class=\"state active\">");
    }
  }

  private static String get(Daemon server, String path) throws IOException {
    URI uri = URI.create(HOST + server.httpPort() + path);
    try (InputStream in = uri.toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * Checks the logs. A healthy cluster logs no warning of ours; a cluster without one server may.
   */
  private void checkLogs(LocalCluster cluster) throws IOException {
    assertThat(OurLogLines.in(cluster.directory().resolve("logs"), layout.jar("."))).isEmpty();
  }
}
