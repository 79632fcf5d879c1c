package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Scan;
import org.fastpath.offheap.reader.ReaderMetrics;
import org.fastpath.offheap.reader.ReaderSupport;

/**
 * Decides which stores and scans of a region are lean: stores whose files are read by the off-heap
 * reader, and scans where there is such a store. Safe from any thread: stores are opened by
 * several.
 */
final class LeanScans {
  private final InlineAdmission inlineGets = InlineAdmission.ofGets();
  private final InlineAdmission inlineScans = InlineAdmission.ofScans();
  private volatile boolean anyStore;

  /**
   * Decides once for a store that is opened. Families with MOB have a store of their own kind. If
   * HBase's code is not the verified code, nothing of it is called, since it may not be there.
   */
  boolean applyTo(HRegion region, ColumnFamilyDescriptor family) {
    boolean lean =
        ReaderSupport.leanScans()
            && !family.isMobEnabled()
            && ReaderSupport.attached(
                StoreUtils.createStoreConfiguration(
                    region.conf, region.getTableDescriptor(), family),
                region.getTableDescriptor().getTableName());
    if (lean) {
      anyStore = true;
      ReaderMetrics.leanStore();
    }
    return lean;
  }

  /** Returns what decides about inline gets of the region. */
  InlineAdmission inlineGets() {
    return inlineGets;
  }

  /** Returns what decides about inline scans of the region. */
  InlineAdmission inlineScans() {
    return inlineScans;
  }

  /** Makes the scanner of a scan; null if it is to be HBase's own. */
  RegionScannerImpl scanner(
      HRegion region, Scan scan, List<KeyValueScanner> additional, long nonceGroup, long nonce)
      throws IOException {
    if (!anyStore) {
      return null;
    }
    if (!scan.isReversed()) {
      return new LeanRegionScanner(scan, additional, region, nonceGroup, nonce);
    }
    if (scan.getFilter() != null) {
      scan.getFilter().setReversed(true);
    }
    return new LeanReversedScanner(scan, additional, region, nonceGroup, nonce);
  }
}
