package org.fastpath.zcr.hbase;

import org.fastpath.common.FeatureStatus;
import org.fastpath.zcr.status.HBaseFeatures;

/**
 * Tells whether HBase's code is verified for mapped blocks. If it is not, HBase reads all blocks.
 * One line of the log and the status of the feature say so. Thread-safe.
 */
final class BlockSupport {
  private static final FeatureStatus STATUS = HBaseFeatures.MAPPED_BLOCKS.status();

  private static final boolean AVAILABLE = HBaseFeatures.MAPPED_BLOCKS.usable();

  private BlockSupport() {}

  static boolean available() {
    return AVAILABLE;
  }

  /** Reports that the off-heap reader has opened a file whose blocks may be mapped. */
  static void used() {
    STATUS.active();
  }

  /** Reports that no reader uses mapped blocks yet. */
  static void unused(String reason) {
    if (AVAILABLE && STATUS.state() != FeatureStatus.State.ACTIVE) {
      STATUS.off(reason);
    }
  }
}
