package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Scan;
import org.fastpath.offheap.reader.ReaderMetrics;
import org.fastpath.offheap.reader.ReaderSupport;

/**
 * Decides which stores and scans of a region are lean. A store is lean if the off-heap reader reads
 * its files. A scan is lean if the region has such a store. Thread-safe, because several threads
 * open stores.
 */
final class ScanFastPath {
  private final InlineAdmission inlineGets = InlineAdmission.ofGets();
  private final InlineAdmission inlineScans = InlineAdmission.ofScans();
  private volatile boolean anyStore;

  /**
   * Decides once for a store that is opened. Families with MOB have their own kind of store. On
   * unverified versions no HBase internals are called; they may not exist.
   */
  boolean applyTo(HRegion region, ColumnFamilyDescriptor family) {
    boolean lean =
        ReaderSupport.scanFastPath()
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

  /** Returns the admission of inline gets of the region. */
  InlineAdmission inlineGets() {
    return inlineGets;
  }

  /** Returns the admission of inline scans of the region. */
  InlineAdmission inlineScans() {
    return inlineScans;
  }

  /** Creates the scanner of a scan; returns null if HBase must create its own. */
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
