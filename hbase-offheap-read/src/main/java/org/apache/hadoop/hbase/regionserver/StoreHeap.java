package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;

/**
 * Merges the files and the memstore of a store like {@code KeyValueHeap}, with its own code for the
 * path of each cell.
 *
 * <p>HBase has one class for both merges: of cells in a store and of stores in a region. It calls
 * scanners of files, memstores and stores, always through an interface. The compiler has seen all
 * three, so it looks up the method on each call. That takes a fifth of the CPU time of a scan whose
 * rows stay on the server. This class first checks for the usual one, a file, and calls it
 * directly. Results, and the order in which scanners change, are the same.
 *
 * <p>Not thread-safe, like its superclass.
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
    moved(file);
    return given;
  }

  /**
   * Returns the current scanner if it can read rows at once, and no other scanner has cells of its
   * current row. Otherwise returns null. A key of a delayed seek is not behind the scanner's next
   * cell.
   */
  LeanFileScanner fileOfRow() {
    if (!(current instanceof LeanFileScanner file) || !file.readsRows()) {
      return null;
    }
    KeyValueScanner rival = heap.peek();
    return rival == null || comparator.getComparator().compareRows(file.peek(), rival.peek()) < 0
        ? file
        : null;
  }

  /** Selects the next scanner after the current one, which is of a file, has moved. */
  void moved(StoreFileScanner file) throws IOException {
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
  }

  /**
   * Copies the keys of delayed seeks to the heap. A scanner of a file shows such a key in place of
   * a cell. If its Bloom filter lacks a column, it shows the column's end. The key lies in a block
   * of any scanner, which may be released and evicted before the seek. HBase copies none.
   */
  void keepKeys() throws IOException {
    keepKey(current);
    // HBase makes no queue for a heap without scanners.
    if (heap != null) {
      for (KeyValueScanner scanner : heap) {
        keepKey(scanner);
      }
    }
  }

  private static void keepKey(KeyValueScanner scanner) throws IOException {
    if (!(scanner instanceof StoreFileScanner file) || !isKey(file.peek())) {
      return;
    }
    Cell key = KeyValueUtil.toNewKeyCell(file.peek());
    if (file.realSeekDone()) {
      file.setCurrentCell(PrivateCellUtil.createLastOnRowCol(key));
    } else {
      // The file has no cell that is newer than this key, so the latest time leads to the same one.
      Cell latest = PrivateCellUtil.createFirstOnRowColTS(key, HConstants.LATEST_TIMESTAMP);
      file.requestSeek(latest, true, false);
    }
  }

  /** Returns whether the cell is a key for a seek; no file has cells of these types. */
  private static boolean isKey(Cell cell) {
    if (!(cell instanceof ByteBufferExtendedCell)) {
      return false;
    }
    byte type = cell.getTypeByte();
    return type == KeyValue.Type.Maximum.getCode() || type == KeyValue.Type.Minimum.getCode();
  }

  /** Selects the next scanner. No scanner is current meanwhile, so none is closed twice. */
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
