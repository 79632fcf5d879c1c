package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;

/**
 * A scan of a region, backwards. Closes the scanners of families on demand when it refuses them:
 * HBase 2.6 leaves these open, and the blocks that they hold are never freed. As safe as the class
 * above it.
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
