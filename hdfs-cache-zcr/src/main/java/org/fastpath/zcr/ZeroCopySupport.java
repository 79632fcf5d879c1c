package org.fastpath.zcr;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf.ShortCircuitConf;
import org.apache.hadoop.net.unix.DomainSocket;
import org.apache.hadoop.util.NativeCodeLoader;
import org.apache.hadoop.util.VersionInfo;
import org.fastpath.common.FeatureStatus;
import org.fastpath.common.guard.GuardedFeature;
import org.fastpath.common.guard.Unverified;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says whether a client can read from mappings. Where it cannot, all its reads go the stock way,
 * and one line of the log says what to set. Safe from any thread.
 */
final class ZeroCopySupport {
  private static final Logger LOG = LoggerFactory.getLogger(ZeroCopySupport.class);

  private static final FeatureStatus STATUS = FeatureStatus.of("hdfs-cache-zcr", "zero-copy");

  private static final GuardedFeature GUARD =
      GuardedFeature.check(
          STATUS,
          ZeroCopySupport.class,
          "Hadoop " + VersionInfo.getVersion(),
          Unverified.HDFS_KEY,
          () -> new HdfsConfiguration().get(Unverified.HDFS_KEY));

  private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

  private ZeroCopySupport() {}

  /** Whether the client can; the first time that it cannot, the log says why. */
  static boolean available(ZeroCopyOptions options, DfsClientConf conf) {
    Optional<String> obstacle = obstacle(options, conf);
    publish(options, obstacle);
    obstacle.filter(LOGGED::add).ifPresent(why -> LOG.warn("All reads go the stock way: {}", why));
    return obstacle.isEmpty();
  }

  private static void publish(ZeroCopyOptions options, Optional<String> obstacle) {
    if (obstacle.isEmpty()) {
      STATUS.active();
    } else if (options.enabled()) {
      STATUS.fallenBack(obstacle.get());
    } else {
      STATUS.off(obstacle.get());
    }
  }

  static boolean isVerifiedVersion() {
    return GUARD.usable();
  }

  static Optional<String> obstacle(ZeroCopyOptions options, DfsClientConf conf) {
    ShortCircuitConf local = conf.getShortCircuitConf();
    String obstacle = null;
    if (!options.enabled()) {
      obstacle = ZeroCopyOptions.ENABLED + " is false";
    } else if (!isVerifiedVersion()) {
      obstacle = GUARD.reason();
    } else if (!local.isShortCircuitLocalReads()) {
      obstacle = "dfs.client.read.shortcircuit is false; set it to true, here and for DataNodes";
    } else if (local.getDomainSocketPath().isEmpty()) {
      obstacle = "dfs.domain.socket.path is not set; set it to what DataNodes have";
    } else if (!NativeCodeLoader.isNativeCodeLoaded()) {
      obstacle =
          "libhadoop is not loaded; put the directory that holds libhadoop.so into"
              + " LD_LIBRARY_PATH or -Djava.library.path";
    } else if (DomainSocket.getLoadingFailureReason() != null) {
      obstacle = "domain sockets cannot be used: " + DomainSocket.getLoadingFailureReason();
    } else if (local.isUseLegacyBlockReaderLocal()) {
      obstacle = "dfs.client.use.legacy.blockreader.local is true; set it to false";
    } else if (!local.isShortCircuitMmapEnabled()) {
      obstacle = "dfs.client.mmap.enabled is false; set it to true";
    } else if (local.getShortCircuitSharedMemoryWatcherInterruptCheckMs() <= 0) {
      obstacle =
          "dfs.short.circuit.shared.memory.watcher.interrupt.check.ms is 0, so that DataNodes"
              + " cannot say what they hold in locked memory; leave it at its default";
    } else if (!conf.getReplicaAccessorBuilderClasses().isEmpty()) {
      obstacle = "dfs.client.replica.accessor.builder.classes is set, which goes before mappings";
    }
    return Optional.ofNullable(obstacle);
  }
}
