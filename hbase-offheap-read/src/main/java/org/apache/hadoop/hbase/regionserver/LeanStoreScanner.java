package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.ScannerContext.NextState;
import org.fastpath.offheap.reader.MemoryOnly;

/** A forward scan of a store that merges by {@link StoreHeap}. As thread-safe as its superclass. */
final class LeanStoreScanner extends StoreScanner {
  /** Reads plain rows; null if HBase must read all rows. */
  private final PlainRows plainRows;

  LeanStoreScanner(
      LeanStore store, ScanInfo info, Scan scan, NavigableSet<byte[]> columns, long readPoint)
      throws IOException {
    super(store, info, scan, columns, readPoint);
    plainRows = PlainRows.of(this, store, info, scan, columns);
  }

  @Override
  public boolean next(List<Cell> results, ScannerContext context) throws IOException {
    if (plainRows == null || context == null) {
      return super.next(results, context);
    }
    boolean changed = checkFlushed() && reopenAfterFlush();
    NextState state = changed ? NextState.MORE_VALUES : readPlainRow(results, context);
    return state == null
        ? super.next(results, context)
        : context.setScannerState(state).hasMoreValues();
  }

  private NextState readPlainRow(List<Cell> results, ScannerContext context) throws IOException {
    return heap instanceof StoreHeap merged ? plainRows.read(merged, results, context) : null;
  }

  /**
   * Seeks the scanners, also after a flush. In a thread that may read from memory only, a seek can
   * fail in normal operation. HBase does not close scanners that fail after a flush, so this class
   * does. HBase closes a new scanner only after an IOException, so other exceptions become one.
   */
  @Override
  protected void seekScanners(
      List<? extends KeyValueScanner> scanners, Cell key, boolean lazy, boolean parallel)
      throws IOException {
    seek(
        scanners,
        () -> {
          super.seekScanners(scanners, key, lazy, parallel);
          return null;
        });
  }

  /**
   * Creates the heap, which seeks where seeks were delayed. HBase also calls this after a flush and
   * when a scan begins to stream.
   */
  @Override
  protected KeyValueHeap newKVHeap(
      List<? extends KeyValueScanner> scanners, CellComparator comparator) throws IOException {
    return seek(scanners, () -> new StoreHeap(scanners, comparator));
  }

  /** Releases the blocks of cells that were sent. Keys of delayed seeks stay valid. */
  @Override
  public void shipped() throws IOException {
    if (heap instanceof StoreHeap merged) {
      merged.keepKeys();
    }
    super.shipped();
    count();
  }

  @Override
  public void close() {
    super.close();
    count();
  }

  private void count() {
    if (plainRows != null) {
      plainRows.count();
    }
  }

  /** A seek of scanners. */
  private interface Seek<T> {
    T run() throws IOException;
  }

  private static <T> T seek(List<? extends KeyValueScanner> scanners, Seek<T> seek)
      throws IOException {
    boolean sought = false;
    try {
      T result = seek.run();
      sought = true;
      return result;
    } catch (RuntimeException e) {
      throw new IOException(e.toString(), e);
    } finally {
      if (!sought && MemoryOnly.isOn()) {
        scanners.forEach(KeyValueScanner::close);
      }
    }
  }
}
