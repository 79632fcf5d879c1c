package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.regionserver.ScannerContext.NextState;

/**
 * Merges the stores of a region as {@code KeyValueHeap} does, calling a store's scanner directly,
 * for the reason that {@link StoreHeap} gives. A region of one family has nothing to merge: its
 * only scanner stays where it is. Not thread-safe, like the class above it.
 */
final class RegionHeap extends KeyValueHeap {
  RegionHeap(List<? extends KeyValueScanner> scanners, CellComparator comparator)
      throws IOException {
    super(scanners, comparator);
  }

  @Override
  public Cell peek() {
    return current instanceof StoreScanner store ? store.peek() : super.peek();
  }

  @Override
  public boolean next(List<Cell> results, ScannerContext context) throws IOException {
    if (!(current instanceof StoreScanner store) || !heap.isEmpty()) {
      return super.next(results, context);
    }
    boolean more = store.next(results, context);
    if (more && store.peek() != null) {
      return true;
    }
    scannersForDelayedClose.add(store);
    current = null;
    return context.setScannerState(NextState.NO_MORE_VALUES).hasMoreValues();
  }
}
