package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;

/**
 * Merges the files and the memstore of a store as {@code KeyValueHeap} does, with code of its own
 * where a scan goes through for each cell.
 *
 * <p>HBase has one class for the merge of cells in a store and for that of stores in a region. What
 * it calls is a file's scanner, a memstore's or a store's, always through an interface, and as the
 * compiler has met all three it looks the method up for each call: a fifth of the CPU of a scan
 * whose rows stay on the server. Here the usual one, a file, is asked for first and called
 * directly. What is returned, and when scanners change places, is the same.
 *
 * <p>Not thread-safe, like the class above it.
 */
final class StoreHeap extends KeyValueHeap {
  StoreHeap(List<? extends KeyValueScanner> scanners, CellComparator comparator)
      throws IOException {
    super(scanners, comparator);
  }

  @Override
  public Cell peek() {
    return current instanceof StoreFileScanner file ? file.peek() : super.peek();
  }

  @Override
  public void recordBlockSize(IntConsumer consumer) {
    if (current instanceof StoreFileScanner file) {
      file.recordBlockSize(consumer);
    } else {
      super.recordBlockSize(consumer);
    }
  }

  @Override
  public Cell next() throws IOException {
    if (!(current instanceof StoreFileScanner file)) {
      return super.next();
    }
    Cell given = file.next();
    Cell following = file.peek();
    if (following == null) {
      scannersForDelayedClose.add(file);
      advance();
    } else {
      KeyValueScanner rival = heap.peek();
      if (rival != null && comparator.compare(following, rival.peek()) >= 0) {
        heap.add(file);
        advance();
      }
    }
    return given;
  }

  /** Nobody is current while the next one is looked for, so that none is closed twice. */
  private void advance() throws IOException {
    current = null;
    current = pollRealKV();
  }

  @Override
  public Cell getNextIndexedKey() {
    return current instanceof StoreFileScanner file
        ? file.getNextIndexedKey()
        : super.getNextIndexedKey();
  }
}
