package org.fastpath.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations of Phoenix that fail on a cluster with every module on also fail on a stock one. */
@EnabledIfSystemProperty(named = "nightly", matches = "true")
class PhoenixExceptionsLiveTest {
  @TempDir static Path directory;

  /** Phoenix 5.2.1 calls a constructor that HBase 2.6.4 does not have; see {@link PhoenixWork}. */
  @ParameterizedTest
  @ValueSource(strings = {"stock", "everything on"})
  void theSplitOfALocalIndexAbortsTheServer(String variant) throws Exception {
    assumeFalse(PhoenixWork.splitsLocalIndexes(), "this HBase has the constructor");
    Path own = directory.resolve(variant.replace(' ', '-'));
    try (LocalCluster cluster = withPhoenix(builder(variant, own)).start()) {
      ClientRun.of(
              cluster,
              List.of(ClientJars.PHOENIX),
              client -> client.quickStart().conf(PhoenixLiveTest.KEYS),
              PhoenixSplit.class.getName(),
              PhoenixLiveTest.url(cluster))
          .passed();
      Eventually.holds(
          () ->
              assertThat(serverLogs(cluster))
                  .as(variant)
                  .contains("ABORTING region server")
                  .containsPattern("NoSuchMethodError: .*StoreFileInfo"));
    }
  }

  /** Returns the logs of both servers, because the table's region is on one of them. */
  private static String serverLogs(LocalCluster cluster) throws IOException {
    StringBuilder logs = new StringBuilder();
    for (Daemon daemon : cluster.daemons()) {
      if (daemon.role() == Role.REGIONSERVER) {
        logs.append(Files.readString(daemon.log()));
      }
    }
    return logs.toString();
  }

  private static ClusterBuilder builder(String variant, Path own) {
    return variant.equals("stock")
        ? LocalCluster.builder()
            .directory(own)
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .daemon(Role.REGIONSERVER, DaemonOptions::quickStart)
        : EverythingOn.cluster(own);
  }

  private static ClusterBuilder withPhoenix(ClusterBuilder builder) {
    return builder
        .daemon(Role.REGIONSERVER, PhoenixLiveTest::phoenix)
        .daemon(Role.MASTER, PhoenixLiveTest::phoenix);
  }
}
