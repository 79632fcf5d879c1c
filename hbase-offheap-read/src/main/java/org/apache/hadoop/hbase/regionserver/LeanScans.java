package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Scan;
import org.fastpath.offheap.reader.ReaderMetrics;
import org.fastpath.offheap.reader.ReaderSupport;

/**
 * Decides which stores and scans of a region are lean: stores whose files are read by the off-heap
 * reader, and scans forwards where there is such a store. Safe from any thread: stores are opened
 * by several.
 */
final class LeanScans {
  private final InlineAdmission inline = new InlineAdmission();
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
  InlineAdmission inline() {
    return inline;
  }

  boolean applyTo(Scan scan) {
    return anyStore && !scan.isReversed();
  }
}
