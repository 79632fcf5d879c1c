package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;

/**
 * A reversed scan of a region. When it refuses families on demand, it closes their scanners. HBase
 * 2.6 leaves them open and never frees the blocks that they hold. As thread-safe as its superclass.
 */
final class LeanReversedScanner extends ReversedRegionScannerImpl {
  LeanReversedScanner(
      Scan scan, List<KeyValueScanner> additional, HRegion region, long nonceGroup, long nonce)
      throws IOException {
    super(scan, additional, region, nonceGroup, nonce);
  }

  @Override
  protected void initializeKVHeap(
      List<KeyValueScanner> essential, List<KeyValueScanner> onDemand, HRegion region)
      throws IOException {
    try {
      super.initializeKVHeap(essential, onDemand, region);
    } catch (IOException e) {
      onDemand.forEach(KeyValueScanner::close);
      throw e;
    }
  }
}
