package org.fastpath.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command line against a real cluster. */
class ClusterCliTest {
  @TempDir private Path directory;

  private final StringWriter output = new StringWriter();

  @AfterEach
  void stop() {
    run("stop");
  }

  @Test
  void startsShowsAndStops() throws Exception {
    Path jar = Jars.ofClass(directory.resolve("marker.jar"), MarkerCoprocessor.class);
    assertThat(run("start", "--with-jar", "regionserver=" + jar)).as(output.toString()).isZero();
    assertThat(output.toString())
        .contains("starting regionserver-0", "the cluster is ready", "hdfs://localhost:")
        .contains(cluster().resolve("conf/client").toString());
    assertThat(cluster().resolve("conf/regionserver-0/java.args")).content().contains("marker.jar");

    List<ClusterState.Entry> daemons = ClusterState.read(cluster()).orElseThrow().daemons();
    assertThat(run("status")).isZero();
    for (ClusterState.Entry daemon : daemons) {
      assertThat(output.toString()).contains(daemon.pid() + " alive", daemon.log().toString());
    }

    assertThat(run("start")).isEqualTo(1);
    assertThat(output.toString()).contains("runs in " + cluster() + " already");

    ClusterState.Entry last = daemons.get(daemons.size() - 1);
    ProcessHandle.of(last.pid()).orElseThrow().destroyForcibly();
    Processes.awaitGone(List.of(last.pid()));
    Processes.await("status tells of the dead daemon", () -> run("status") == 1);
    assertThat(output.toString()).contains(last.pid() + " dead");

    assertThat(run("stop")).isZero();
    Processes.awaitGone(daemons.stream().map(ClusterState.Entry::pid).toList());
    assertThat(run("status")).isEqualTo(1);
    assertThat(output.toString()).contains("no cluster runs in " + cluster());
  }

  @Test
  void saysWhyItDidNotStart() {
    assertThat(run("start", "--heap", "regionserver=900g")).isEqualTo(1);
    assertThat(output.toString())
        .contains("regionserver-0 wants the most", cluster().resolve("logs").toString());
    assertThat(run("status")).isEqualTo(1);
  }

  @Test
  void rejectsWhatItDoesNotUnderstand() {
    assertThat(run("start", "--regionservers", "4")).isEqualTo(1);
    assertThat(output.toString()).contains("4 RegionServers: from 1 to 3 are possible");
    assertThat(run("start", "--with-jar", "client=x.jar")).isEqualTo(1);
    assertThat(output.toString()).contains("no role 'client'");
    assertThat(run("start", "--with-jar", "master=missing.jar")).isEqualTo(1);
    assertThat(output.toString()).contains("no such jar: ");
    assertThat(Files.exists(cluster())).isFalse();
  }

  private Path cluster() {
    return directory.resolve("cluster");
  }

  private int run(String command, String... options) {
    output.getBuffer().setLength(0);
    CommandLine line = ClusterCli.commandLine();
    PrintWriter writer = new PrintWriter(output, true);
    line.setOut(writer).setErr(writer);
    String[] words = new String[options.length + 3];
    words[0] = command;
    words[1] = "--dir";
    words[2] = cluster().toString();
    System.arraycopy(options, 0, words, 3, options.length);
    return line.execute(words);
  }
}
