package org.fastpath.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.FastpathSizes;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Modules;
import org.fastpath.cluster.Role;

/**
 * A cluster with every module on: 2 RegionServers, and 3 DataNodes with an SSD and a disk each.
 * Caches are small, so blocks are evicted. Flushed files go to SSDs and are pinned.
 */
final class EverythingOn {
  private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=";
  private static final long MIB = 1L << 20;
  private static final boolean NIGHTLY = Boolean.getBoolean("nightly");

  /** A nightly run writes much. A larger memstore is flushed and compacted less often. */
  private static final String HEAP = NIGHTLY ? "2g" : "768m";

  private static final long FLUSH_SIZE = (NIGHTLY ? 64 : 16) * MIB;

  /** Metrics of failed features, which must stay zero. */
  private static final List<String> FAILURES =
      List.of("failedScannerCount", "misconfiguredStoreCount", "unverifiedVersionCount");

  private EverythingOn() {}

  /** Describes the cluster. Later calls of the builder override these settings. */
  static ClusterBuilder cluster(Path directory) {
    return LocalCluster.builder()
        .directory(directory.resolve("cluster"))
        .regionServers(2)
        .dataNodes(3)
        .volumes("[SSD]", "[DISK]")
        .fastpath(Modules.ALL)
        .fastpathSizes(new FastpathSizes(48 * MIB, 64 * MIB, 96 * MIB))
        .daemon(Role.DATANODE, EverythingOn::jvm)
        .daemon(Role.REGIONSERVER, options -> jvm(options.heap(HEAP)))
        .conf("hbase.fastpath.inline-reads.enabled", "true")
        .conf("hbase.fastpath.warm-up.seconds", "10")
        .conf("hbase.fastpath.tiering.flush", "ONE_SSD")
        .conf("hbase.fastpath.hdfs-cache.policy", "ALWAYS")
        .conf("hbase.fastpath.hdfs-cache.interval-seconds", "2")
        .conf("hbase.fastpath.hdfs-cache.compaction-wait-seconds", "2")
        .conf("hbase.hregion.memstore.flush.size", Long.toString(FLUSH_SIZE));
  }

  /**
   * In a normal build, servers live for minutes. In a nightly run, their JVMs have the settings of
   * production.
   */
  private static DaemonOptions jvm(DaemonOptions options) {
    return NIGHTLY ? options : options.quickStart();
  }

  /** Checks that our reader served scans, and that no feature and no daemon failed. */
  static void assertHealthy(LocalCluster cluster) throws Exception {
    for (Daemon daemon : cluster.daemons()) {
      assertThat(Files.readString(daemon.log()))
          .as("log of %s", daemon.name())
          .doesNotContain("ABORTING")
          .doesNotContain("A fatal error has been detected");
      if (daemon.role() == Role.REGIONSERVER) {
        for (String failure : FAILURES) {
          assertThat(Eventually.shown(daemon, BEAN + "OffHeapReader", failure))
              .as("%s of %s", failure, daemon.name())
              .isZero();
        }
      }
    }
    assertThat(sum(cluster, "OffHeapReader", "scannerCount"))
        .as("scanners of the off-heap reader")
        .isPositive();
  }

  /** Returns the sum of a metric over all RegionServers. */
  static long sum(LocalCluster cluster, String source, String metric) throws Exception {
    long sum = 0;
    for (Daemon daemon : cluster.daemons()) {
      if (daemon.role() == Role.REGIONSERVER) {
        sum += Eventually.shown(daemon, BEAN + source, metric);
      }
    }
    return sum;
  }
}
