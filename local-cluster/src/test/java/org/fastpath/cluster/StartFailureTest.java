package org.fastpath.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that cannot start says which daemon is at fault and where its log is. */
class StartFailureTest {
  @TempDir private Path directory;

  @AfterEach
  void nothingIsLeftRunning() {
    assertThat(Processes.daemonsOfThisJvm()).isEmpty();
  }

  @Test
  void portInUse() throws Exception {
    try (ServerSocket occupied = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + occupied.getLocalPort();
      ClusterException failure =
          failure(builder().daemon(Role.DATANODE, o -> o.conf("dfs.datanode.address", address)));
      assertThat(failure)
          .hasMessageStartingWith("datanode-0 ended with exit code 1")
          .hasMessageContaining("datanode-0 to register with the NameNode")
          .hasMessageContaining(directory.resolve("logs/datanode-0.log").toString())
          .hasMessageContaining("BindException");
    }
  }

  @Test
  void heapLargerThanTheMachine() {
    ClusterException failure = failure(builder().daemon(Role.DATANODE, 0, o -> o.heap("900g")));
    assertThat(failure)
        .hasMessageStartingWith("not enough memory")
        .hasMessageContaining("datanode-0 wants the most (namenode 256 MiB, datanode-0 900.0 GiB)")
        .hasMessageContaining(directory.resolve("logs/datanode-0.log").toString());
  }

  @Test
  void flagThatTheJvmDoesNotKnow() {
    ClusterException failure =
        failure(builder().daemon(Role.NAMENODE, o -> o.jvmFlags("-XX:+NoSuchFlag")));
    assertThat(failure)
        .hasMessageStartingWith("namenode ended with exit code 1")
        .hasMessageContaining("Unrecognized VM option 'NoSuchFlag'")
        .hasMessageContaining(directory.resolve("logs/namenode.log").toString());
  }

  @Test
  void heapTooSmallToRun() {
    ClusterException failure = failure(builder().daemon(Role.NAMENODE, o -> o.heap("8m")));
    assertThat(failure)
        .hasMessageStartingWith("namenode ended with exit code 3")
        .hasMessageContaining("java.lang.OutOfMemoryError");
  }

  @Test
  void directoryThatHdfsCannotUse() {
    assertThat(failure(LocalCluster.builder().directory(directory.resolve("a b"))))
        .hasMessageContaining("a b': choose a directory with letters");
  }

  @Test
  void notReadyInTime() {
    ClusterException failure =
        failure(
            builder().conf("dfs.namenode.safemode.min.datanodes", "9").startTimeout(Duration.ZERO));
    assertThat(failure)
        .hasMessageStartingWith("namenode is not ready after 0 s")
        .hasMessageContaining("namenode to leave safe mode")
        .hasMessageContaining(directory.resolve("logs/namenode.log").toString());
  }

  private ClusterBuilder builder() {
    return LocalCluster.builder().directory(directory).hbase(false);
  }

  private static ClusterException failure(ClusterBuilder builder) {
    return catchThrowableOfType(ClusterException.class, () -> builder.start().close());
  }
}
