package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Reads the row of a get, if it is simple. In each store, the memstore has no cell of the row, and
 * at most one store file can have some. These are puts without tags that have not expired. Then
 * nothing is merged or deleted. In all other cases HBase must read the row.
 *
 * <p>The read point is not registered with the region, because nothing that the read could see can
 * disappear meanwhile. The point, the files and the segments of the memstore are taken under the
 * store's lock, so no flush or compaction ends between them. One that ended before kept all that
 * the point sees. Any cell of the row in the memstore, whether visible or not, ends the read. So
 * does another point for another store, because a row of several families is read at one point.
 *
 * <p>Cells are copied to the heap, so the blocks are released at once. A read of more than {@value
 * #MOST_BYTES} bytes is left to HBase, which does not copy and seeks over old versions.
 *
 * <p>Not thread-safe; one object reads one row.
 */
final class RowRead {
  private static final int MOST_BYTES = 16 << 10;
  private static final long NONE = -1;

  /** The scan of a row, which filters of files take; each thread has its own. */
  private static final ThreadLocal<Scan> SCANS = ThreadLocal.withInitial(Scan::new);

  private final HRegion region;
  private final Get get;
  private final Tries unfiltered;
  private final byte[] row;
  private final List<Cell> cells = new ArrayList<>();

  /** The stores that have cells of the result. */
  private final List<LeanStore> stores = new ArrayList<>(1);

  private long readPoint = NONE;
  private long blockBytes;

  /** The bytes of cells that were looked at. */
  private int bytes;

  /** Whether a cell of the row was seen, of any column. */
  private boolean seenRow;

  // The state of one store's read.

  private LeanStore store;
  private long oldest;
  private int versions;
  private StoreFileScanner scanner;

  /** The last cell of a column, and the number of its versions so far. */
  private Cell last;

  private int seen;

  /**
   * Prepares a read.
   *
   * @param unfiltered reads of the only file in question, which may pay without its Bloom filter
   */
  RowRead(HRegion region, Get get, Tries unfiltered) {
    this.region = region;
    this.get = get;
    this.unfiltered = unfiltered;
    row = get.getRow();
  }

  /**
   * Reads the cells.
   *
   * @return false if HBase must read the row
   */
  boolean read() throws IOException {
    for (Map.Entry<byte[], NavigableSet<byte[]>> family : get.getFamilyMap().entrySet()) {
      if (!(region.getStore(family.getKey()) instanceof LeanStore lean)) {
        return false;
      }
      int before = cells.size();
      if (!read(lean, family.getValue())) {
        return false;
      }
      if (cells.size() > before) {
        stores.add(lean);
      }
    }
    // HBase counts a row without results as filtered, and tells coprocessors.
    return !cells.isEmpty() || !seenRow;
  }

  /** Returns the cells that were read. */
  List<Cell> cells() {
    return cells;
  }

  /** Returns the bytes of blocks that were read. */
  long blockBytes() {
    return blockBytes;
  }

  /** Counts the row for its stores. */
  void countStores() {
    stores.forEach(each -> each.updateMetricsStore(false));
  }

  private boolean read(LeanStore lean, NavigableSet<byte[]> columns) throws IOException {
    store = lean;
    ScanInfo info = lean.getScanInfo();
    if (info.isNewVersionBehavior() || info.getMinVersions() > 0) {
      return false;
    }
    oldest = EnvironmentEdgeManager.currentTime() - info.getTtl();
    versions = Math.min(get.getMaxVersions(), info.getMaxVersions());
    last = null;
    Collection<HStoreFile> files;
    List<KeyValueScanner> memory;
    long point;
    store.storeEngine.readLock();
    try {
      point = region.getReadPoint(get.getIsolationLevel());
      files = store.getStorefiles();
      memory = store.memstore.getScanners(Long.MAX_VALUE);
      HStoreFile.increaseStoreFilesRefeCount(files);
    } finally {
      store.storeEngine.readUnlock();
    }
    try {
      boolean samePoint = readPoint == NONE || readPoint == point;
      readPoint = point;
      return samePoint && !isIn(memory) && read(files, columns);
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

  private boolean read(Collection<HStoreFile> files, NavigableSet<byte[]> columns)
      throws IOException {
    Scan scan = SCANS.get().withStartRow(row, true).withStopRow(row, true);
    HStoreFile only = null;
    int inRange = 0;
    for (HStoreFile file : files) {
      StoreFileReader reader = file.getReader();
      if (reader == null) {
        return false;
      }
      if (mayHaveRow(reader, scan)) {
        only = file;
        inRange++;
      }
    }
    if (inRange <= 1) {
      return only == null || readOnly(only, scan, columns);
    }
    only = null;
    for (HStoreFile file : files) {
      StoreFileReader reader = file.getReader();
      if (mayHaveRow(reader, scan) && reader.passesBloomFilter(scan, columns)) {
        if (only != null) {
          return false;
        }
        only = file;
      }
    }
    return only == null || read(only, columns);
  }

  private boolean mayHaveRow(StoreFileReader reader, Scan scan) {
    return reader.passesTimerangeFilter(TimeRange.allTime(), oldest)
        && reader.passesKeyRangeFilter(scan);
  }

  /**
   * Reads the only file in question. While nearly all gets find something, the Bloom filter is
   * asked only after one that found nothing. A filter in cache costs about a tenth of the read.
   */
  private boolean readOnly(HStoreFile file, Scan scan, NavigableSet<byte[]> columns)
      throws IOException {
    StoreFileReader reader = file.getReader();
    boolean filterFirst = !unfiltered.pay();
    if (filterFirst && !reader.passesBloomFilter(scan, columns)) {
      unfiltered.ended(false);
      return true;
    }
    boolean sawAnother = seenRow;
    int before = cells.size();
    boolean read = read(file, columns);
    boolean found = cells.size() > before;
    unfiltered.ended(found);
    if (found || filterFirst || reader.passesBloomFilter(scan, columns)) {
      return read;
    }
    // HBase would not have looked into the file.
    seenRow = sawAnother;
    return true;
  }

  private boolean read(HStoreFile file, NavigableSet<byte[]> columns) throws IOException {
    scanner = file.getPreadScanner(get.getCacheBlocks(), readPoint, 0, false);
    try {
      return columns == null || columns.isEmpty()
          ? readAll()
          : readColumns(file.getReader(), columns);
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
        // The row may have columns before this one. HBase counts such a row, if it has no result.
        return !cells.isEmpty();
      }
      seenRow = true;
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
   * Takes a cell unless it is an older version or a duplicate.
   *
   * @return false if it is not simple
   */
  private boolean take(Cell cell) {
    seenRow = true;
    scanner.recordBlockSize(read -> blockBytes += read);
    bytes += PrivateCellUtil.estimatedSerializedSizeOf(cell);
    if (bytes > MOST_BYTES
        || cell.getTypeByte() != KeyValue.Type.Put.getCode()
        || cell.getTagsLength() > 0
        || cell.getTimestamp() < oldest) {
      return false;
    }
    boolean same = last != null && CellUtil.matchingQualifier(last, cell);
    boolean duplicate = same && last.getTimestamp() == cell.getTimestamp();
    seen = same ? seen : 0;
    last = cell;
    if (!duplicate && seen < versions) {
      seen++;
      cells.add(KeyValueUtil.copyToNewKeyValue(cell));
    }
    return true;
  }
}
