package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Reads the cells of a get from one store, if they are simple: the memstore has no cell of the row,
 * at most one store file can have some, and these are puts without tags that have not expired. Then
 * nothing is merged or deleted. In all other cases HBase must read the row.
 *
 * <p>The read point is not registered with the region, because nothing that the read could see can
 * disappear meanwhile. The point, the files and the segments of the memstore are taken under the
 * store's lock, so no flush or compaction ends between them. One that ended before kept all that
 * the point sees. Any cell of the row in the memstore, whether visible or not, ends the read.
 *
 * <p>Cells are copied to the heap, so the blocks are released at once. A row of more than {@value
 * #MOST_BYTES} bytes is left to HBase, which does not copy.
 *
 * <p>Not thread-safe; one object reads one row of one store.
 */
final class RowRead {
  private static final int MOST_BYTES = 16 << 10;

  /** The scan of a row, which filters of files take; each thread has its own. */
  private static final ThreadLocal<Scan> SCANS = ThreadLocal.withInitial(Scan::new);

  private final LeanStore store;
  private final Get get;
  private final byte[] row;
  private final List<Cell> cells;
  private final ScanInfo info;
  private final long oldest;
  private final int versions;

  private StoreFileScanner scanner;

  /** The last cell of a column, and the number of its versions so far. */
  private Cell last;

  private int seen;
  private int bytes;

  /**
   * Prepares a read.
   *
   * @param cells receives the cells; wrong ones if the read fails
   */
  RowRead(LeanStore store, Get get, List<Cell> cells) {
    this.store = store;
    this.get = get;
    this.cells = cells;
    row = get.getRow();
    info = store.getScanInfo();
    oldest = EnvironmentEdgeManager.currentTime() - info.getTtl();
    versions = Math.min(get.getMaxVersions(), info.getMaxVersions());
  }

  /**
   * Reads the cells.
   *
   * @param columns the qualifiers that the get asks for; null for all
   * @return false if HBase must read the row
   */
  boolean read(NavigableSet<byte[]> columns) throws IOException {
    if (info.isNewVersionBehavior()) {
      return false;
    }
    Collection<HStoreFile> files;
    List<KeyValueScanner> memory;
    long readPoint;
    store.storeEngine.readLock();
    try {
      readPoint = store.getHRegion().getReadPoint(get.getIsolationLevel());
      files = store.getStorefiles();
      memory = store.memstore.getScanners(Long.MAX_VALUE);
      HStoreFile.increaseStoreFilesRefeCount(files);
    } finally {
      store.storeEngine.readUnlock();
    }
    try {
      return !isIn(memory) && read(files, columns, readPoint);
    } finally {
      memory.forEach(KeyValueScanner::close);
      HStoreFile.decreaseStoreFilesRefeCount(files);
    }
  }

  private boolean isIn(List<KeyValueScanner> memory) throws IOException {
    Cell first = PrivateCellUtil.createFirstOnRow(row);
    for (KeyValueScanner segment : memory) {
      if (segment.peek() != null && segment.seek(first) && isOfRow(segment.peek())) {
        return true;
      }
    }
    return false;
  }

  private boolean isOfRow(Cell cell) {
    return cell != null && CellUtil.matchingRows(cell, row);
  }

  private boolean read(Collection<HStoreFile> files, NavigableSet<byte[]> columns, long readPoint)
      throws IOException {
    Scan scan = SCANS.get().withStartRow(row, true).withStopRow(row, true);
    HStoreFile only = null;
    for (HStoreFile file : files) {
      StoreFileReader reader = file.getReader();
      if (reader == null) {
        return false;
      }
      if (mayHaveRow(reader, scan, columns)) {
        if (only != null) {
          return false;
        }
        only = file;
      }
    }
    return only == null || read(only, columns, readPoint);
  }

  private boolean mayHaveRow(StoreFileReader reader, Scan scan, NavigableSet<byte[]> columns) {
    return reader.passesTimerangeFilter(TimeRange.allTime(), oldest)
        && reader.passesKeyRangeFilter(scan)
        && reader.passesBloomFilter(scan, columns);
  }

  private boolean read(HStoreFile file, NavigableSet<byte[]> columns, long readPoint)
      throws IOException {
    scanner = file.getPreadScanner(get.getCacheBlocks(), readPoint, 0, false);
    try {
      boolean read = columns == null ? readAll() : readColumns(file.getReader(), columns);
      if (read && !cells.isEmpty()) {
        store.updateMetricsStore(false);
      }
      return read;
    } finally {
      scanner.close();
    }
  }

  private boolean readAll() throws IOException {
    scanner.seek(PrivateCellUtil.createFirstOnRow(row));
    while (isOfRow(scanner.peek())) {
      if (!take(scanner.peek())) {
        return false;
      }
      scanner.next();
    }
    return true;
  }

  private boolean readColumns(StoreFileReader reader, NavigableSet<byte[]> columns)
      throws IOException {
    // A deletion of the family is in front of all columns.
    if (reader.passesDeleteFamilyBloomFilter(row, 0, row.length)) {
      return false;
    }
    byte[] family = store.getColumnFamilyDescriptor().getName();
    boolean first = true;
    for (byte[] column : columns) {
      Cell key = PrivateCellUtil.createFirstOnRow(row, family, column);
      boolean found = first ? scanner.seek(key) : scanner.reseek(key);
      first = false;
      if (!found || !isOfRow(scanner.peek())) {
        return true;
      }
      if (!readVersions(column)) {
        return false;
      }
    }
    return true;
  }

  private boolean readVersions(byte[] column) throws IOException {
    last = null;
    for (Cell cell = scanner.peek();
        isOfRow(cell) && CellUtil.matchingQualifier(cell, column);
        cell = scanner.peek()) {
      if (!take(cell)) {
        return false;
      }
      if (seen >= versions) {
        return true;
      }
      scanner.next();
    }
    return true;
  }

  /**
   * Takes a cell unless it is an older version or a duplicate; returns false if it is not simple.
   */
  private boolean take(Cell cell) {
    scanner.recordBlockSize(RowRead::count);
    if (cell.getTypeByte() != KeyValue.Type.Put.getCode()
        || cell.getTagsLength() > 0
        || cell.getTimestamp() < oldest) {
      return false;
    }
    boolean same = last != null && CellUtil.matchingQualifier(last, cell);
    boolean duplicate = same && last.getTimestamp() == cell.getTimestamp();
    seen = same ? seen : 0;
    last = cell;
    if (duplicate || seen >= versions) {
      return true;
    }
    seen++;
    bytes += PrivateCellUtil.estimatedSerializedSizeOf(cell);
    if (bytes > MOST_BYTES) {
      return false;
    }
    cells.add(KeyValueUtil.copyToNewKeyValue(cell));
    return true;
  }

  private static void count(int blockBytes) {
    RpcServer.getCurrentCall()
        .map(RpcCall.class::cast)
        .ifPresent(call -> call.incrementBlockBytesScanned(blockBytes));
  }
}
