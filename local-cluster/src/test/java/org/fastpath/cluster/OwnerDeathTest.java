package org.fastpath.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No process outlives the JVM that owns its cluster. */
class OwnerDeathTest {
  @TempDir private Path directory;

  @Test
  void killedOwnerLeavesNoProcess() throws Exception {
    Process owner = startOwner(true);
    List<Long> pids = daemons(owner);
    assertThat(pids).hasSize(5);
    owner.destroyForcibly().waitFor();
    Processes.awaitGone(pids);
  }

  @Test
  void ownerThatExitsWithoutClosingLeavesNoProcess() throws Exception {
    Process owner = startOwner(false);
    List<Long> pids = daemons(owner);
    assertThat(pids).hasSize(2);
    owner.getOutputStream().close();
    assertThat(owner.waitFor()).isZero();
    Processes.awaitGone(pids);
  }

  private Process startOwner(boolean hbase) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            ClusterOwner.class.getName(),
            directory.toString(),
            Boolean.toString(hbase))
        .redirectErrorStream(true)
        .start();
  }

  private static List<Long> daemons(Process owner) throws IOException {
    List<Long> pids = new ArrayList<>();
    StringBuilder output = new StringBuilder();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(owner.getInputStream(), StandardCharsets.UTF_8));
    String line = lines.readLine();
    while (line != null && !line.equals("ready")) {
      output.append(line).append('\n');
      if (line.startsWith("pid=")) {
        pids.add(Long.parseLong(line.substring("pid=".length())));
      }
      line = lines.readLine();
    }
    assertThat(line).as("output of the owner: %s", output).isEqualTo("ready");
    return pids;
  }
}
