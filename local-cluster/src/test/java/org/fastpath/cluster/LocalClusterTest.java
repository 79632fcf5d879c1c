package org.fastpath.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One cluster with HBase, a RegionServer of which the tests restart in different ways. */
class LocalClusterTest {
  private static final String RUNTIME = "java.lang:type=Runtime";

  @TempDir private static Path temporary;

  private static LocalCluster cluster;

  @BeforeAll
  static void startCluster() {
    cluster =
        LocalCluster.builder()
            .directory(temporary.resolve("cluster"))
            .shortCircuit(true)
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .daemon(Role.REGIONSERVER, o -> o.quickStart().libhadoop(false).conf("test.key", "<&>"))
            .firstStart(Role.REGIONSERVER, o -> o.jvmFlags("-Dtest.first=on"))
            .start();
  }

  @AfterAll
  static void stopCluster() throws Exception {
    if (cluster != null) {
      List<Long> pids = cluster.daemons().stream().map(Daemon::pid).toList();
      cluster.close();
      Processes.awaitGone(pids);
    }
  }

  @Test
  void namesEveryDaemon() throws IOException {
    assertThat(cluster.daemons().stream().map(Daemon::name))
        .containsExactly("zookeeper", "namenode", "datanode-0", "master", "regionserver-0");
    assertThat(cluster.daemons()).allMatch(Daemon::isAlive);
    for (Daemon daemon : cluster.daemons()) {
      assertThat(daemon.log()).isNotEmptyFile();
      assertThat(daemon.cpuTime().totalNanos()).isPositive();
      if (daemon.role() != Role.ZOOKEEPER) {
        assertThat(daemon.jmx(RUNTIME)).contains("\"beans\"");
      }
    }
    assertThatThrownBy(() -> cluster.daemon(Role.DATANODE, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> cluster.daemon(Role.ZOOKEEPER, 0).httpPort())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void runsOnStockJarsBehindItsOwnConfiguration() throws IOException {
    for (Daemon daemon : cluster.daemons()) {
      if (daemon.role() != Role.ZOOKEEPER) {
        List<Path> entries =
            Stream.of(daemon.jmxAttribute(RUNTIME, "ClassPath").orElseThrow().split(":"))
                .map(Path::of)
                .toList();
        assertThat(entries.get(0)).isEqualTo(daemon.confDir());
        assertThat(entries.get(1)).isDirectoryRecursivelyContaining("glob:**/DaemonLauncher.class");
        assertThat(entries.subList(2, entries.size()))
            .extracting(entry -> entry.getFileName().toString())
            .allMatch(name -> name.endsWith(".jar"))
            .noneMatch(name -> name.matches(".*(junit|assertj|picocli|-tests\\.jar).*"));
      }
    }
    assertThat(cluster.daemon(Role.REGIONSERVER, 0).confDir().resolve("hbase-site.xml"))
        .content()
        .contains("<name>test.key</name><value>&lt;&amp;&gt;</value>");
  }

  @Test
  void keepsDataOverRestartsWithOtherJarsAndFlags() throws Exception {
    put("kept", "1");
    Daemon server = cluster.daemon(Role.REGIONSERVER, 0);
    assertThat(server.jmx(RUNTIME)).contains("-Dtest.first=on");
    assertThat(Processes.hasLibhadoop(server.pid())).isFalse();
    assertThat(Processes.hasLibhadoop(cluster.daemon(Role.DATANODE, 0).pid())).isTrue();

    Path jar = Jars.ofClass(temporary.resolve("marker.jar"), MarkerCoprocessor.class);
    server.restart(
        o ->
            o.prependToClasspath(jar)
                .conf("hbase.coprocessor.regionserver.classes", MarkerCoprocessor.class.getName())
                .conf(MarkerCoprocessor.MARK, "seen")
                .jvmFlags("-Dtest.flag=on")
                .libhadoop(true));
    String runtime = server.jmx(RUNTIME);
    assertThat(runtime).contains("-Dtest.flag=on").doesNotContain("test.first");
    assertThat(runtime)
        .containsPattern("\"" + MarkerCoprocessor.MARK + "\",?\\s*\"value\"\\s*:\\s*\"seen\"");
    assertThat(Processes.hasLibhadoop(server.pid())).isTrue();
    assertThat(get("kept")).isEqualTo("1");

    put("kept", "2");
    server.kill();
    assertThat(server.isAlive()).isFalse();
    server.restart();
    assertThat(server.jmx(RUNTIME)).doesNotContain("test.flag").doesNotContain("marker.jar");
    assertThat(Processes.hasLibhadoop(server.pid())).isFalse();
    assertThat(get("kept")).isEqualTo("2");
  }

  @Test
  void restartsHdfsUnderRunningHBase() throws Exception {
    put("before", "3");
    Daemon dataNode = cluster.daemon(Role.DATANODE, 0);
    dataNode.restart(
        o -> o.memlock(true).jvmFlags("-Dtest.flag=on").environment(Map.of("TEST_VARIABLE", "on")));
    assertThat(Processes.environment(dataNode.pid())).contains("TEST_VARIABLE=on");
    cluster.daemon(Role.NAMENODE, 0).restart();
    assertThat(get("before")).isEqualTo("3");
    put("after", "5");
    for (Role role : List.of(Role.MASTER, Role.REGIONSERVER)) {
      assertThat(cluster.daemon(role, 0).log())
          .content()
          .doesNotContainPattern("current excludeDNsCache size=[1-9]");
    }
  }

  @Test
  void keepsBlocksInTheDirectoriesItNames() throws IOException {
    put("block", "4");
    List<Path> directories = cluster.daemon(Role.DATANODE, 0).dataDirectories();
    assertThat(directories).hasSize(1);
    try (Stream<Path> files = Files.walk(directories.get(0))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .anyMatch(name -> name.startsWith("blk_"));
    }
    assertThat(cluster.daemon(Role.NAMENODE, 0).dataDirectories()).isEmpty();
  }

  @Test
  void runsHBasesOwnLoadTool() {
    List<String> output = new ArrayList<>();
    for (String command : List.of("sequentialWrite", "randomRead")) {
      int code =
          cluster.runClient(
              "org.apache.hadoop.hbase.PerformanceEvaluation",
              List.of("--nomapred", "--rows=100", "--table=load", command, "1"),
              DaemonOptions::quickStart,
              output::add);
      assertThat(code).as(String.join("\n", output)).isZero();
    }
    assertThat(output).anyMatch(line -> line.contains("RandomReadTest"));
  }

  @Test
  void reportsTheExitCodeOfAClient() {
    List<String> output = new ArrayList<>();
    assertThat(cluster.runClient("no.such.Main", List.of(), output::add)).isEqualTo(1);
    assertThat(output).anyMatch(line -> line.contains("ClassNotFoundException: no.such.Main"));
  }

  @Test
  void refusesASecondClusterInTheSameDirectory() {
    ClusterBuilder second = LocalCluster.builder().directory(cluster.directory());
    assertThatThrownBy(second::start)
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("another cluster runs in " + cluster.directory());
  }

  private static void put(String row, String value) {
    client("put", row, value);
  }

  private static String get(String row) {
    return client("get", row).stream()
        .filter(line -> line.startsWith("value="))
        .findFirst()
        .orElseThrow()
        .substring("value=".length());
  }

  private static List<String> client(String... args) {
    List<String> output = new ArrayList<>();
    Path classes = Path.of("target", "test-classes");
    int code =
        cluster.runClient(
            TableClient.class.getName(),
            List.of(args),
            // A broken cluster must fail a test, not delay it by HBase's 20 minutes.
            o ->
                o.prependToClasspath(classes)
                    .quickStart()
                    .conf("hbase.client.operation.timeout", "60000")
                    .conf("hbase.client.meta.operation.timeout", "60000"),
            output::add);
    assertThat(code).as(String.join("\n", output)).isZero();
    return output;
  }
}
