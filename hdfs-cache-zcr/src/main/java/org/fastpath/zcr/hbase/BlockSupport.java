package org.fastpath.zcr.hbase;

import org.apache.hadoop.hbase.regionserver.StoreFileReaders;
import org.fastpath.common.FeatureStatus;
import org.fastpath.zcr.status.HBaseFeatures;

/**
 * Says whether HBase's code is the code that mapped blocks were verified with. If it is not, one
 * line of the log and the status of the feature say so, and HBase reads all blocks. Safe from any
 * thread.
 */
final class BlockSupport {
  private static final FeatureStatus STATUS = HBaseFeatures.MAPPED_BLOCKS.status();

  private static final boolean AVAILABLE = HBaseFeatures.MAPPED_BLOCKS.usable() && hasConstructor();

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

  private BlockSupport() {}

  static boolean available() {
    return AVAILABLE;
  }
}
