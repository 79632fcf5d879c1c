package org.fastpath.bench.engine.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.fastpath.bench.engine.Layout;
import org.fastpath.cluster.DaemonOptions;

/** One variant of the comparison: the policy by which the DataNode chooses volumes. */
public record PolicyVariant(String label, String description, String policy) {
  private static final String KEY = "dfs.datanode.fsdataset.volume.choosing.policy";
  private static final String STOCK = "org.apache.hadoop.hdfs.server.datanode.fsdataset.";
  private static final String OURS = "org.fastpath.tiered.datanode.";

  /** All variants; the last one is compared with the others. */
  public static final List<PolicyVariant> ALL =
      List.of(
          new PolicyVariant(
              "round-robin",
              "HDFS's default, one volume after the other",
              STOCK + "RoundRobinVolumeChoosingPolicy"),
          new PolicyVariant(
              "available-space",
              "HDFS's policy that prefers volumes with more free space",
              STOCK + "AvailableSpaceVolumeChoosingPolicy"),
          new PolicyVariant(
              "per-type",
              "our round-robin by bytes, per storage type",
              OURS + "PerTypeRoundRobinVolumeChoosingPolicy"),
          new PolicyVariant(
              "latency-aware",
              "our policy, by what the volumes are doing now",
              OURS + "LatencyAwareVolumeChoosingPolicy"));

  public static PolicyVariant latencyAware() {
    return ALL.get(ALL.size() - 1);
  }

  public Consumer<DaemonOptions> dataNode(Layout layout) {
    List<Path> jars = policy.startsWith(OURS) ? List.of(layout.jar(Layout.TIERED_JAR)) : List.of();
    return options -> options.prependToClasspath(jars).conf(KEY, policy);
  }
}
