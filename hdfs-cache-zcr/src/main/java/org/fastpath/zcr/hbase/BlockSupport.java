package org.fastpath.zcr.hbase;

import org.fastpath.common.FeatureStatus;
import org.fastpath.zcr.status.HBaseFeatures;

/**
 * Says whether HBase's code is the code that mapped blocks were verified with. If it is not, one
 * line of the log and the status of the feature say so, and HBase reads all blocks. Safe from any
 * thread.
 */
final class BlockSupport {
  private static final FeatureStatus STATUS = HBaseFeatures.MAPPED_BLOCKS.status();

  private static final boolean AVAILABLE = HBaseFeatures.MAPPED_BLOCKS.usable();

  private BlockSupport() {}

  static boolean available() {
    return AVAILABLE;
  }

  /** The off-heap reader has opened a file whose blocks it looks for in mappings. */
  static void used() {
    STATUS.active();
  }

  /** Nothing reads mapped blocks yet. */
  static void unused(String reason) {
    if (AVAILABLE && STATUS.state() != FeatureStatus.State.ACTIVE) {
      STATUS.off(reason);
    }
  }
}
