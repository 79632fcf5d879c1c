package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Scan;

/**
 * A scan of a region, forwards, that merges by {@link RegionHeap} and looks at the time by {@link
 * ScanLimits}. As safe as the class above it.
 */
final class LeanRegionScanner extends RegionScannerImpl {
  /** Those of the request that is being answered. */
  private ScanLimits limits;

  /** The row of a get that was read before HBase asks for it; else null. */
  private List<Cell> prepared;

  LeanRegionScanner(
      Scan scan, List<KeyValueScanner> additional, HRegion region, long nonceGroup, long nonce)
      throws IOException {
    super(scan, additional, region, nonceGroup, nonce);
  }

  @Override
  protected void initializeKVHeap(
      List<KeyValueScanner> essential, List<KeyValueScanner> onDemand, HRegion region)
      throws IOException {
    storeHeap = new RegionHeap(essential, comparator);
    if (!onDemand.isEmpty()) {
      joinedHeap = new RegionHeap(onDemand, comparator);
    }
  }

  /** Sets the whole row, the only one, which {@link #next(List)} gives. */
  void prepared(List<Cell> row) {
    prepared = row;
  }

  /** How a get asks for its row. */
  @Override
  public boolean next(List<Cell> results) throws IOException {
    if (prepared == null) {
      return super.next(results);
    }
    results.addAll(prepared);
    prepared = null;
    return false;
  }

  @Override
  public boolean nextRaw(List<Cell> results, ScannerContext context) throws IOException {
    if (limits == null || !limits.areOf(context)) {
      if (!ScanLimits.apply(context)) {
        return super.nextRaw(results, context);
      }
      limits = new ScanLimits(context);
    }
    limits.begin();
    try {
      return super.nextRaw(results, limits);
    } finally {
      limits.end();
    }
  }
}
