package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.Scan;

/** A scan of a store, forwards, that merges by {@link StoreHeap}. As safe as the class above it. */
final class LeanStoreScanner extends StoreScanner {
  LeanStoreScanner(
      HStore store, ScanInfo info, Scan scan, NavigableSet<byte[]> columns, long readPoint)
      throws IOException {
    super(store, info, scan, columns, readPoint);
  }

  /** Also after a flush, and when a scan begins to stream. */
  @Override
  protected KeyValueHeap newKVHeap(
      List<? extends KeyValueScanner> scanners, CellComparator comparator) throws IOException {
    return new StoreHeap(scanners, comparator);
  }
}
