package org.fastpath.zcr.hbase;

import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.regionserver.StoreFileReaders;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.fastpath.common.FeatureStatus;
import org.fastpath.common.guard.GuardedFeature;
import org.fastpath.common.guard.Unverified;

/**
 * Says whether HBase's code is the code that mapped blocks were verified with. If it is not, one
 * line of the log and the status of the feature say so, and HBase reads all blocks. Safe from any
 * thread.
 */
final class BlockSupport {
  private static final FeatureStatus STATUS = FeatureStatus.of("hdfs-cache-zcr", "mapped-blocks");

  private static final boolean AVAILABLE = check() && hasConstructor();

  static {
    if (AVAILABLE) {
      STATUS.active();
    }
  }

  private static boolean hasConstructor() {
    if (!StoreFileReaders.available()) {
      STATUS.fallenBack("StoreFileReader cannot be made over another reader of HFiles");
    }
    return StoreFileReaders.available();
  }

  private static boolean check() {
    return GuardedFeature.check(
            STATUS,
            BlockSupport.class,
            "HBase " + VersionInfo.getVersion(),
            Unverified.HBASE_KEY,
            () -> HBaseConfiguration.create().get(Unverified.HBASE_KEY))
        .usable();
  }

  private BlockSupport() {}

  static boolean available() {
    return AVAILABLE;
  }
}
