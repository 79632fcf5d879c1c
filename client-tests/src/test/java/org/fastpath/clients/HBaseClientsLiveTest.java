package org.fastpath.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.LocalCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HBase's integration tests, its PerformanceEvaluation and YCSB's workloads pass on a cluster with
 * every module on. The nightly profile runs more of each.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HBaseClientsLiveTest {
  private static final boolean NIGHTLY = Boolean.getBoolean("nightly");
  private static final List<ClientJars> HBASE_IT = List.of(ClientJars.HBASE_IT);
  private static final String TESTS = "org.apache.hadoop.hbase.";

  /** The number of nodes in a ring that a generator's mapper links. */
  private static final int RING = 250_000;

  private static final int RING_WIDTH = 10_000;
  private static final int RING_WRAPS = RING / RING_WIDTH;
  private static final int MAPPERS = NIGHTLY ? 4 : 2;
  private static final int RINGS = NIGHTLY ? 5 : 1;

  /** Without this option, mappers of a local job run one after another. */
  private static final String PARALLEL_MAPPERS = "-Dmapreduce.local.map.tasks.maximum=" + MAPPERS;

  private static final Duration KILL_PAUSE = Duration.ofSeconds(NIGHTLY ? 60 : 45);
  private static final long ROWS_BEFORE_FIRST_KILL = 100_000;

  private static final int KILL_ROUNDS = NIGHTLY ? 10 : 2;

  @TempDir static Path directory;

  private static LocalCluster cluster;

  @BeforeAll
  static void start() {
    cluster = EverythingOn.cluster(directory).start();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** A lost or undefined node fails the loop's verification, which sets the exit code. */
  @Test
  @Order(1)
  void linkedListIsWholeAfterKilledServers() throws Exception {
    try (RegionServerKiller killer =
        new RegionServerKiller(cluster, ROWS_BEFORE_FIRST_KILL, KILL_PAUSE)) {
      int nodes = RINGS * RING;
      ClientRun loop = linkedList("loop", 1, MAPPERS, nodes, "/loop", 1, RING_WIDTH, RING_WRAPS);
      int kills = killer.end();
      System.out.println("linked list: " + MAPPERS * nodes + " nodes, " + kills + " kills");
      loop.passed();
      assertThat(kills).isPositive();
    }
    EverythingOn.assertHealthy(cluster);
  }

  private static ClientRun linkedList(Object... arguments) {
    List<String> words = new ArrayList<>(List.of(PARALLEL_MAPPERS, "-ncc"));
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    return ClientRun.of(
        cluster,
        HBASE_IT,
        client ->
            client
                .quickStart()
                .heap(NIGHTLY ? "2g" : "1g")
                // On a busy machine, a killed server needs minutes until it serves again.
                .conf("hbase.client.retries.number", "35"),
        TESTS + "test.IntegrationTestBigLinkedList",
        words.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({"FAST_DIFF, GZ", "NONE, NONE"})
  @Order(2)
  void loadTestToolVerifiesAllKeys(String encoding, String compression) throws Exception {
    loadAndVerify(encoding, compression);
  }

  @ParameterizedTest
  @CsvSource({"ROW_INDEX_V1, NONE", "PREFIX, GZ", "DIFF, NONE"})
  @Order(2)
  @EnabledIfSystemProperty(named = "nightly", matches = "true")
  void loadTestToolVerifiesAllKeysOfOtherEncodings(String encoding, String compression)
      throws Exception {
    loadAndVerify(encoding, compression);
  }

  private static void loadAndVerify(String encoding, String compression) throws Exception {
    String keys = NIGHTLY ? "10000" : "2000";
    ClientRun.of(
            cluster,
            HBASE_IT,
            DaemonOptions::quickStart,
            TESTS + "util.LoadTestTool",
            "-v",
            "-tn",
            "load_" + encoding,
            "-families",
            "f1,f2",
            "-write",
            "5:200:4",
            "-update",
            "30:2",
            "-read",
            "100:4",
            "-num_keys",
            keys,
            "-multiput",
            "-multiget_batchsize",
            "10",
            "-bloom",
            "ROWCOL",
            "-data_block_encoding",
            encoding,
            "-compression",
            compression,
            "-num_regions_per_server",
            "2")
        .passed();
    EverythingOn.assertHealthy(cluster);
  }

  @Test
  @Order(3)
  void performanceEvaluationHasNoFailingTest() throws Exception {
    ClientRun run =
        ClientRun.of(
                cluster,
                HBASE_IT,
                DaemonOptions::quickStart,
                PerformanceEvaluations.class.getName(),
                NIGHTLY ? "20000" : "2000")
            .passed();
    assertThat(run.lines()).contains(PerformanceEvaluations.DONE);
    EverythingOn.assertHealthy(cluster);
  }

  @Test
  @Order(4)
  void ycsbReadsBackAllItWrote() throws Exception {
    YcsbWorkloads workloads = new YcsbWorkloads(cluster, NIGHTLY ? 200_000 : 5_000);
    workloads.load();
    for (YcsbWorkloads.Workload workload : YcsbWorkloads.Workload.values()) {
      workloads.run(workload);
    }
    workloads.noticesWrongValues();
    EverythingOn.assertHealthy(cluster);
  }

  /**
   * HBASE-26036, HBASE-25929 and others: clients that die leave exact values, in blocks that are
   * mapped and in the cache.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Order(5)
  void killedClientsLeaveExactValues(boolean mapped) throws Exception {
    try (KilledClients clients = new KilledClients(cluster, mapped)) {
      for (int round = 0; round < KILL_ROUNDS; round++) {
        clients.killSome(round);
        clients.flush();
      }
      clients.requireExactValues();
    }
    EverythingOn.assertHealthy(cluster);
  }
}
