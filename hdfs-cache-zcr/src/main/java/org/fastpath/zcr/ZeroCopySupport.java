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
 * Decides whether a client can read from mappings. If it cannot, all its reads are stock reads, and
 * one line of the log names the remedy. Thread-safe.
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

  /** Returns whether the client can. If it cannot, the first call logs the reason. */
  static boolean available(ZeroCopyOptions options, DfsClientConf conf) {
    Optional<String> missingRequirement = missingRequirement(options, conf);
    publish(options, missingRequirement);
    missingRequirement
        .filter(LOGGED::add)
        .ifPresent(
            why ->
                LOG.warn(
                    "Zero-copy reads are off and HDFS's " + "stock streams read everything: {}",
                    why));
    return missingRequirement.isEmpty();
  }

  private static void publish(ZeroCopyOptions options, Optional<String> missingRequirement) {
    if (missingRequirement.isEmpty()) {
      STATUS.active();
    } else if (options.enabled()) {
      STATUS.fallenBack(missingRequirement.get());
    } else {
      STATUS.off(missingRequirement.get());
    }
  }

  static boolean isVerifiedVersion() {
    return GUARD.usable();
  }

  static Optional<String> missingRequirement(ZeroCopyOptions options, DfsClientConf conf) {
    ShortCircuitConf local = conf.getShortCircuitConf();
    String missingRequirement = null;
    if (!options.enabled()) {
      missingRequirement = ZeroCopyOptions.ENABLED + " is false";
    } else if (!isVerifiedVersion()) {
      missingRequirement = GUARD.reason();
    } else if (!local.isShortCircuitLocalReads()) {
      missingRequirement =
          "dfs.client.read.shortcircuit is false; set it to true, here and for DataNodes";
    } else if (local.getDomainSocketPath().isEmpty()) {
      missingRequirement = "dfs.domain.socket.path is not set; set it to the DataNodes' value";
    } else if (!NativeCodeLoader.isNativeCodeLoaded()) {
      missingRequirement =
          "libhadoop is not loaded; put the directory that holds libhadoop.so into"
              + " LD_LIBRARY_PATH or -Djava.library.path";
    } else if (DomainSocket.getLoadingFailureReason() != null) {
      missingRequirement =
          "domain sockets cannot be used: " + DomainSocket.getLoadingFailureReason();
    } else if (local.isUseLegacyBlockReaderLocal()) {
      missingRequirement = "dfs.client.use.legacy.blockreader.local is true; set it to false";
    } else if (!local.isShortCircuitMmapEnabled()) {
      missingRequirement = "dfs.client.mmap.enabled is false; set it to true";
    } else if (local.getShortCircuitSharedMemoryWatcherInterruptCheckMs() <= 0) {
      missingRequirement =
          "dfs.short.circuit.shared.memory.watcher.interrupt.check.ms is 0, so DataNodes "
              + "cannot report their locked memory; leave it at its default";
    } else if (!conf.getReplicaAccessorBuilderClasses().isEmpty()) {
      missingRequirement =
          "dfs.client.replica.accessor.builder.classes is set, which overrides "
              + "mappings; unset it";
    }
    return Optional.ofNullable(missingRequirement);
  }
}
