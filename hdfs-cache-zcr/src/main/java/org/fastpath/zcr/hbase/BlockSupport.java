package org.fastpath.zcr.hbase;

import java.util.Set;
import org.apache.hadoop.hbase.regionserver.StoreFileReaders;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.fastpath.common.FeatureStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says whether this version of HBase is one in which everything was found that is reached into.
 * Where it is not, one line of the log says so and all blocks are read by HBase. Safe from any
 * thread.
 */
final class BlockSupport {
  private static final Logger LOG = LoggerFactory.getLogger(BlockSupport.class);
  private static final Set<String> VERIFIED_HBASE = Set.of("2.6.4-hadoop3");

  private static final FeatureStatus STATUS = FeatureStatus.of("hdfs-cache-zcr", "mapped-blocks");

  private static final boolean AVAILABLE =
      VERIFIED_HBASE.contains(VersionInfo.getVersion()) && StoreFileReaders.available();

  static {
    if (AVAILABLE) {
      STATUS.active();
    } else {
      STATUS.fallenBack("HBase " + VersionInfo.getVersion() + " is not a verified version");
      LOG.warn(
          "All blocks are read by HBase: HBase {} is not among the versions {} that mapped blocks"
              + " were verified with",
          VersionInfo.getVersion(),
          VERIFIED_HBASE);
    }
  }

  private BlockSupport() {}

  static boolean available() {
    return AVAILABLE;
  }
}
