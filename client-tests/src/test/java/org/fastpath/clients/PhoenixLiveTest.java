package org.fastpath.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Phoenix works on a cluster with every module on. Its keys are set beside ours. Its jars are on
 * the class paths of the RegionServers and the HMaster. Queries return the right rows, and its own
 * end-to-end tests pass.
 */
class PhoenixLiveTest {
  private static final boolean NIGHTLY = Boolean.getBoolean("nightly");
  private static final String END_TO_END = "org.apache.phoenix.end2end.";
  private static final List<String> OWN_TESTS =
      List.of("ReverseScanIT", "salted.SaltedTableUpsertSelectIT");
  private static final List<String> MORE_OWN_TESTS =
      List.of("UpsertSelectIT", "OrderByIT", "GroupByIT", "InListIT");

  /**
   * The keys that Phoenix's guide and its tests require. The short page makes scans pause and
   * resume.
   */
  static final Map<String, String> KEYS =
      Map.of(
          "hbase.regionserver.wal.codec",
          "org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec",
          "hbase.region.server.rpc.scheduler.factory.class",
          "org.apache.hadoop.hbase.ipc.PhoenixRpcSchedulerFactory",
          "phoenix.server.page.size.ms",
          "5",
          "phoenix.index.longViewIndex.enabled",
          "true");

  @TempDir static Path directory;

  private static LocalCluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        EverythingOn.cluster(directory)
            .daemon(Role.REGIONSERVER, PhoenixLiveTest::phoenix)
            .daemon(Role.MASTER, PhoenixLiveTest::phoenix)
            .start();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Adds Phoenix's jars and keys to a daemon. */
  static void phoenix(DaemonOptions options) {
    options.prependToClasspath(ClientJars.PHOENIX.jars()).conf(KEYS);
  }

  /** Returns the JDBC URL of a cluster. */
  static String url(LocalCluster cluster) {
    Map<String, String> conf = cluster.clientConfiguration();
    return "jdbc:phoenix:%s:%s:/hbase"
        .formatted(
            conf.get("hbase.zookeeper.quorum"), conf.get("hbase.zookeeper.property.clientPort"));
  }

  @Test
  void queriesAnswerRight() throws Exception {
    ClientRun run =
        ClientRun.of(
                cluster,
                List.of(ClientJars.PHOENIX),
                client -> client.quickStart().conf(KEYS),
                PhoenixWork.class.getName(),
                url(cluster),
                NIGHTLY ? "20000" : "1500")
            .passed();
    assertThat(run.lines()).contains(PhoenixWork.DONE);
    EverythingOn.assertHealthy(cluster);
  }

  /**
   * All tests run in one JVM, because the names of a class's tables are unique only within a JVM.
   */
  @Test
  void phoenixsOwnTestsPass() throws Exception {
    List<String> classes = new ArrayList<>(OWN_TESTS);
    if (NIGHTLY) {
      classes.addAll(MORE_OWN_TESTS);
    }
    ClientRun run =
        ClientRun.of(
                cluster,
                List.of(ClientJars.PHOENIX, ClientJars.PHOENIX_TESTS, ClientJars.HBASE_IT),
                client ->
                    client
                        .quickStart()
                        .heap("1g")
                        .jvmFlags("-Dhbase.test.cluster.distributed=true", "-ea")
                        .conf(KEYS),
                "org.junit.runner.JUnitCore",
                classes.stream().map(END_TO_END::concat).toArray(String[]::new))
            .passed();
    assertThat(run.lines()).anyMatch(line -> line.startsWith("OK ("));
    EverythingOn.assertHealthy(cluster);
  }
}
