package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two RegionServers: one coordinates, the other reports to it. No other user may report. The
 * coordinator's process is killed: pins stay, and the other server goes on with their renewals.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CoordinationLiveTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final TableName TABLE = TableName.valueOf("t");
  private static final int REGIONS = 4;

  /** Longer than it takes until a dead server's regions are open again. Renewed at half of it. */
  private static final int LEASE_SECONDS = 160;

  private static final String POOL = "pins";

  @TempDir static Path directory;

  private static PinnedHBase hbase;

  @BeforeAll
  static void start() throws Exception {
    hbase =
        PinnedHBase.start(
            LocalCluster.builder()
                .directory(directory.resolve("cluster"))
                .regionServers(2)
                .conf("hbase.zookeeper.property.tickTime", "2000")
                .conf("zookeeper.session.timeout", "30000"),
            Map.of(
                PinOptions.POOL,
                POOL,
                PinOptions.LIMIT,
                "8m",
                PinOptions.INTERVAL,
                "1",
                PinOptions.HALF_LIFE,
                "5",
                PinOptions.LEASE,
                Integer.toString(LEASE_SECONDS)),
            conf -> {});
  }

  @AfterAll
  static void stop() throws IOException {
    if (hbase != null) {
      hbase.close();
    }
  }

  @Test
  @Order(1)
  void theFilesOfBothServersArePinnedByOne() throws Exception {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = Bytes.toBytes(Integer.toString(i));
    }
    hbase.admin.createTable(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setValue(PinPolicy.ATTRIBUTE, "ALWAYS")
            .build(),
        splits);
    List<ServerName> servers = List.copyOf(hbase.admin.getRegionServers());
    int number = 0;
    for (RegionInfo region : hbase.admin.getRegions(TABLE)) {
      hbase.admin.move(region.getEncodedNameAsBytes(), servers.get(number++ % servers.size()));
    }
    put("before");
    Eventually.holds(() -> hbase.requireAllPinnedOnce(TABLE));
    Eventually.holds(
        () -> {
          assertThat(coordinators()).containsExactlyInAnyOrder(0L, 1L);
          for (Daemon server : hbase.regionServers()) {
            assertThat(PinnedHBase.metric(server, "pinnedFileCount")).isEqualTo(REGIONS / 2);
            assertThat(PinnedHBase.metric(server, "reportCount")).isPositive();
          }
          Daemon coordinator = hbase.coordinator();
          assertThat(coordinator.jmx("org.fastpath:type=Feature,name=pinning")).contains("ACTIVE");
          assertThat(PinnedHBase.metric(coordinator, "reportingServerCount")).isEqualTo(2);
          assertThat(PinnedHBase.metric(coordinator, "completeReportCount")).isEqualTo(1);
        });
  }

  @Test
  @Order(2)
  void noOtherUserMayReport() throws Exception {
    byte[] report = new HeatReport("x", true, Set.of(), List.of(), new long[0]).toBytes();
    ServerName server = hbase.meta();
    User.createUserForTesting(hbase.conf, "mallory", new String[0])
        .runAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (Connection own = ConnectionFactory.createConnection(hbase.conf);
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

  /** Every look at the pool while the coordinator changes finds each pin, and finds it once. */
  @Test
  @Order(3)
  void whenTheCoordinatorIsKilledPinsStayAndAreRenewedByTheNextOne() throws Exception {
    Daemon dead = hbase.coordinator();
    Daemon next = hbase.regionServers().stream().filter(d -> d != dead).findAny().orElseThrow();
    Map<String, List<Long>> ids = ids();
    Map<String, Long> ends = ends();
    dead.kill();
    int[] looks = {0};
    Eventually.holds(
        () -> {
          requireStill(ids);
          looks[0]++;
          assertThat(PinnedHBase.metric(next, "coordinatorCount")).isEqualTo(1);
          assertThat(PinnedHBase.metric(next, "renewalCount")).isGreaterThanOrEqualTo(REGIONS);
        });
    System.out.println(looks[0] + " looks at the pool until the next coordinator had renewed");
    assertThat(ends()).allSatisfy((path, end) -> assertThat(end).isGreaterThan(ends.get(path)));
    assertThat(PinnedHBase.metric(next, "pinCount")).as("pinned anew").isZero();
    assertThat(PinnedHBase.metric(next, "unpinCount")).isZero();
    Eventually.holds(
        () ->
            assertThat(PinnedHBase.metric(next, "pinnedFileCount"))
                .as("files of the dead server's regions are those of the next")
                .isEqualTo(REGIONS));
    put("after");
    Eventually.holds(() -> hbase.requireAllPinnedOnce(TABLE));
    assertThat(ids()).containsAllEntriesOf(ids);
  }

  private static void requireStill(Map<String, List<Long>> before) throws IOException {
    if (!ids().equals(before)) {
      throw new IllegalStateException("pins were " + before + " and are " + ids());
    }
  }

  private static Map<String, List<Long>> ids() throws IOException {
    return hbase.pinned(TABLE).values().stream()
        .filter(directive -> !directive.expired())
        .collect(Collectors.toMap(Directive::path, Directive::ids));
  }

  private static Map<String, Long> ends() throws IOException {
    return hbase.pinned(TABLE).values().stream()
        .collect(Collectors.toMap(Directive::path, Directive::expires));
  }

  private static void put(String value) throws IOException {
    try (Table table = hbase.connection.getTable(TABLE)) {
      for (int i = 0; i < REGIONS; i++) {
        byte[] row = Bytes.toBytes(i + "-" + value);
        table.put(new Put(row).addColumn(FAMILY, FAMILY, Bytes.toBytes(value)));
      }
    }
    // One by one: a flush of the table is the HMaster's.
    for (RegionInfo region : hbase.admin.getRegions(TABLE)) {
      hbase.admin.flushRegion(region.getRegionName());
    }
  }

  private static List<Long> coordinators() throws Exception {
    List<Long> counts = new ArrayList<>();
    for (Daemon server : hbase.regionServers()) {
      counts.add(PinnedHBase.metric(server, "coordinatorCount"));
    }
    return counts;
  }
}
