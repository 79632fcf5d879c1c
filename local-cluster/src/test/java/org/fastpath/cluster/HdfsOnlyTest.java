package org.fastpath.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HDFS without HBase: volumes, several DataNodes, a second start in the same directory. */
class HdfsOnlyTest {
  private static final String SHELL = "org.apache.hadoop.fs.FsShell";

  @TempDir private Path directory;

  @Test
  void findsItsDataAgainAtTheNextStart() throws IOException {
    int port;
    try (LocalCluster cluster = start()) {
      assertThat(cluster.daemons().stream().map(Daemon::name))
          .containsExactly("namenode", "datanode-0", "datanode-1");
      assertThat(cluster.daemon(Role.DATANODE, 1).dataDirectories()).hasSize(2);
      String info =
          cluster.daemon(Role.DATANODE, 1).jmx("Hadoop:service=DataNode,name=DataNodeInfo");
      assertThat(info).contains("SSD").contains("DISK");
      assertThat(cluster.runClient(SHELL, List.of("-put", readable(cluster), "/file"))).isZero();
      port = cluster.daemon(Role.NAMENODE, 0).port();
    }
    try (LocalCluster cluster = start()) {
      assertThat(cluster.daemon(Role.NAMENODE, 0).port()).isEqualTo(port);
      assertThat(cluster.runClient(SHELL, List.of("-cat", "/file"), line -> {})).isZero();
      assertThat(cluster.runClient(SHELL, List.of("-cat", "/none"), line -> {})).isNotZero();
    }
  }

  private static String readable(LocalCluster cluster) {
    return cluster.clientConfDir().resolve("core-site.xml").toString();
  }

  private LocalCluster start() {
    return LocalCluster.builder()
        .directory(directory)
        .hbase(false)
        .dataNodes(2)
        .volumes("[SSD]", "[DISK]")
        .daemon(Role.DATANODE, DaemonOptions::quickStart)
        .start();
  }
}
