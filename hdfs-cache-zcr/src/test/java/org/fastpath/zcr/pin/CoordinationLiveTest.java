package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two RegionServers: one coordinates, the other reports to it; the coordinator changes and dies,
 * the HMaster is away, and no other user may report.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CoordinationLiveTest {
  private static final Path OURS = Path.of("target", "classes").toAbsolutePath();
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final TableName TABLE = TableName.valueOf("t");
  private static final int REGIONS = 4;

  @TempDir static Path directory;

  private static LocalCluster cluster;
  private static Configuration configuration;
  private static Connection connection;
  private static Admin admin;
  private static DistributedFileSystem fs;
  private static CacheDirectives directives;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.builder()
            .directory(directory.resolve("cluster"))
            .regionServers(2)
            .lockedMemory(16L << 20)
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .daemon(
                Role.REGIONSERVER,
                options -> options.prependToClasspath(OURS).heap("384m").quickStart().conf(ours()))
            .start();
    configuration = new Configuration();
    cluster.clientConfiguration().forEach(configuration::set);
    connection = ConnectionFactory.createConnection(configuration);
    admin = connection.getAdmin();
    fs = (DistributedFileSystem) FileSystem.newInstance(configuration);
    ours().forEach(configuration::set);
    directives =
        new CacheDirectives(
            fs, new org.apache.hadoop.fs.Path("/hbase"), PinOptions.of(configuration));
  }

  private static Map<String, String> ours() {
    return Map.of(
        "hbase.coprocessor.regionserver.classes",
        CachePinning.class.getName(),
        PinOptions.LIMIT,
        "8m",
        PinOptions.INTERVAL,
        "1",
        PinOptions.HALF_LIFE,
        "5");
  }

  @AfterAll
  static void stop() throws IOException {
    if (connection != null) {
      admin.close();
      connection.close();
      fs.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void theFilesOfBothServersArePinnedByOne() throws Exception {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = Bytes.toBytes(Integer.toString(i));
    }
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setValue(PinPolicy.ATTRIBUTE, "ALWAYS")
            .build(),
        splits);
    List<ServerName> servers = List.copyOf(admin.getRegionServers());
    int number = 0;
    for (RegionInfo region : admin.getRegions(TABLE)) {
      admin.move(region.getEncodedNameAsBytes(), servers.get(number++ % servers.size()));
    }
    put("before");
    Eventually.holds(CoordinationLiveTest::requirePinned);
    Eventually.holds(
        () -> {
          assertThat(coordinators()).containsExactlyInAnyOrder(0L, 1L);
          for (Daemon server : regionServers()) {
            assertThat(metric(server, "pinnedFileCount")).isEqualTo(REGIONS / 2);
            assertThat(metric(server, "reportCount")).isPositive();
          }
          assertThat(coordinator().jmx("org.fastpath:type=Feature,name=pinning"))
              .contains("ACTIVE");
          assertThat(metric(coordinator(), "reportingServerCount")).isEqualTo(2);
          assertThat(metric(coordinator(), "completeReportCount")).isEqualTo(1);
        });
  }

  @Test
  @Order(2)
  void noOtherUserMayReport() throws Exception {
    byte[] report = new HeatReport("x", true, Set.of(), List.of(), new long[0]).toBytes();
    ServerName server = meta();
    User.createUserForTesting(configuration, "mallory", new String[0])
        .runAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (Connection own = ConnectionFactory.createConnection(configuration);
                      Admin ownAdmin = own.getAdmin()) {
                    assertThatThrownBy(
                            () ->
                                PinEndpoint.call(
                                    ownAdmin.coprocessorService(server), "report", report))
                        .hasMessageContaining("user mallory may not report heat");
                  }
                  return null;
                });
  }

  private static void put(String value) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      for (int i = 0; i < REGIONS; i++) {
        byte[] row = Bytes.toBytes(i + "-" + value);
        table.put(new Put(row).addColumn(FAMILY, FAMILY, Bytes.toBytes(value)));
      }
    }
    // One by one: a flush of the table is the HMaster's.
    for (RegionInfo region : admin.getRegions(TABLE)) {
      admin.flushRegion(region.getRegionName());
    }
  }

  private static void requirePinned() throws IOException {
    Set<String> files = new TreeSet<>();
    for (FileStatus file :
        fs.globStatus(new org.apache.hadoop.fs.Path("/hbase/data/default/t/*/f/*"))) {
      files.add(file.getPath().toUri().getPath());
    }
    Map<String, Directive> pinned = table();
    assertThat(files).isNotEmpty();
    assertThat(pinned.keySet()).isEqualTo(files);
    assertThat(pinned.values())
        .allMatch(directive -> directive.cachedBytes() == directive.bytes())
        .allMatch(directive -> directive.ids().size() == 1);
  }

  private static Map<String, Directive> table() throws IOException {
    Map<String, Directive> pinned = new HashMap<>(directives.directives());
    pinned.keySet().removeIf(path -> !path.startsWith("/hbase/data/default/t/"));
    return pinned;
  }

  private static List<Daemon> regionServers() {
    return cluster.daemons().stream().filter(d -> d.role() == Role.REGIONSERVER).toList();
  }

  private static ServerName meta() throws IOException {
    return connection
        .getRegionLocator(TableName.META_TABLE_NAME)
        .getRegionLocation(new byte[0], true)
        .getServerName();
  }

  private static Daemon coordinator() throws IOException {
    int port = meta().getPort();
    return regionServers().stream().filter(d -> d.port() == port).findAny().orElseThrow();
  }

  private static List<Long> coordinators() throws Exception {
    List<Long> counts = new ArrayList<>();
    for (Daemon server : regionServers()) {
      counts.add(metric(server, "coordinatorCount"));
    }
    return counts;
  }

  private static long metric(Daemon server, String name) throws Exception {
    return Eventually.shown(
        server, "Hadoop:service=HBase,name=RegionServer,sub=HdfsCachePins", name);
  }
}
