package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.NavigableSet;
import java.util.function.IntConsumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.regionserver.ScannerContext.NextState;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker;
import org.apache.hadoop.hbase.regionserver.querymatcher.NormalUserScanQueryMatcher;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanDeleteTracker;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher;
import org.fastpath.offheap.reader.PlainRow;
import org.fastpath.offheap.reader.ReaderMetrics;

/**
 * Reads {@linkplain PlainRow plain} rows of a scan at once, if only one file of the store has cells
 * of the row. HBase asks its matcher for each cell whether the row is another one, and whether a
 * deletion or a newer version hides the cell. It asks its heap whether another file's cell is next.
 * For rows of ten columns that is a third of the CPU time of a scan. A plain row has one answer for
 * all its cells.
 *
 * <p>HBase reads all other rows, and a row within which a limit ends the request. A filter decides
 * after all of its row was read, see {@link PlainRowFilter}.
 *
 * <p>Not thread-safe. A store's scanner uses one object.
 */
final class PlainRows {
  /** Fields of HBase without a getter; null if one does not exist. */
  private static final VarHandle MATCHER =
      field(StoreScanner.class, "matcher", ScanQueryMatcher.class);

  static final VarHandle BYTES_READ = field(StoreScanner.class, "bytesRead", long.class);

  private static final VarHandle OLDEST =
      field(StoreScanner.class, "oldestUnexpiredTS", long.class);

  private static final VarHandle DELETES =
      field(NormalUserScanQueryMatcher.class, "deletes", DeleteTracker.class);

  private final StoreScanner scanner;
  private final LeanStore store;
  private final Tries tries;
  private final PlainRow row;

  /** The scan's filter, or null. */
  private final PlainRowFilter filter;

  /**
   * Whether the scan names one column. If it names more, HBase 2.6.5 and later seek where earlier
   * releases step over cells.
   */
  private final boolean oneColumn;

  private final long mostRowBytes;

  /** The cells after which HBase looks at the time within a row, if the scan has a filter. */
  private final long mostCells;

  /**
   * The bytes after which HBase changes from single reads to a stream, or {@link Long#MAX_VALUE}.
   */
  private final long mostSingleBytes;

  /** Whether the last tried row was plain. A scanner tries its first row like any request. */
  private boolean trying;

  private int skipped;

  /** Whether the scan ended at its filter's wish, or behind its last row. */
  private boolean ended;

  /** The key behind the row that the scan must seek; null if the next row follows. */
  private Cell target;

  /** The rows that were read and are not counted yet. */
  private int uncounted;

  /** The context of the current call. One object records blocks, and serves all calls. */
  private ScannerContext context;

  private final IntConsumer recordBlock =
      bytes -> {
        RpcServer.getCurrentCall().ifPresent(call -> call.incrementBlockBytesScanned(bytes));
        context.incrementBlockProgress(bytes);
      };

  private PlainRows(
      StoreScanner scanner,
      LeanStore store,
      ScanInfo info,
      PlainRow row,
      PlainRowFilter filter,
      boolean oneColumn,
      boolean maySwitch) {
    this.scanner = scanner;
    this.store = store;
    this.row = row;
    this.filter = filter;
    this.oneColumn = oneColumn;
    mostCells = filter == null ? Long.MAX_VALUE : info.getCellsPerTimeoutCheck();
    tries = store.plainRows(filter != null);
    trying = tries.isDue();
    mostRowBytes = info.getTableMaxRowSize();
    mostSingleBytes = maySwitch ? info.getPreadMaxBytes() : Long.MAX_VALUE;
  }

  private static VarHandle field(Class<?> owner, String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
          .findVarHandle(owner, name, type);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Returns the reader of a new scanner's plain rows; null if only HBase can read its rows. */
  static PlainRows of(
      StoreScanner scanner,
      LeanStore store,
      ScanInfo info,
      Scan scan,
      NavigableSet<byte[]> columns) {
    if (!qualifies(scan, columns)
        || !tracksDeletesOnly(scanner)
        || usesColumnFilters(store, columns)) {
      return null;
    }
    long oldest = (long) OLDEST.get(scanner);
    int versions = Math.min(scan.getMaxVersions(), info.getMaxVersions());
    boolean maySwitch =
        scan.getReadType() == Scan.ReadType.DEFAULT
            && !info.isUsePread()
            && info.getPreadMaxBytes() >= 0;
    Filter filter = scan.getFilter();
    PlainRow row = new PlainRow(scanner.getReadPoint(), oldest, versions, columns, filter != null);
    PlainRowFilter shown =
        filter == null
            ? null
            : new PlainRowFilter(
                filter, (ScanQueryMatcher) MATCHER.get(scanner), store.getComparator());
    boolean oneColumn = columns != null && columns.size() == 1;
    return new PlainRows(scanner, store, info, row, shown, oneColumn, maySwitch);
  }

  private static boolean qualifies(Scan scan, NavigableSet<byte[]> columns) {
    return !scan.isGetScan()
        && !scan.isRaw()
        // HBase goes from one named column to the next in other ways, if a filter skips some.
        && (scan.getFilter() == null || columns == null || columns.isEmpty())
        && scan.getTimeRange().isAllTime()
        && scan.getColumnFamilyTimeRange().isEmpty()
        && scan.getMaxVersions() > 0
        && scan.getMaxResultsPerColumnFamily() < 0
        && scan.getRowOffsetPerColumnFamily() == 0;
  }

  /** Returns whether only deletions hide puts. A coprocessor's tracker may hide others. */
  private static boolean tracksDeletesOnly(StoreScanner scanner) {
    return MATCHER != null
        && BYTES_READ != null
        && OLDEST != null
        && DELETES != null
        && MATCHER.get(scanner) instanceof NormalUserScanQueryMatcher matcher
        && DELETES.get(matcher).getClass() == ScanDeleteTracker.class;
  }

  /** With such filters HBase seeks in other files for each column, and counts their blocks. */
  private static boolean usesColumnFilters(LeanStore store, NavigableSet<byte[]> columns) {
    if (columns == null || columns.isEmpty()) {
      return false;
    }
    if (store.getColumnFamilyDescriptor().getBloomFilterType() == BloomType.ROWCOL) {
      return true;
    }
    // Files from the time before the family was altered.
    for (HStoreFile file : store.getStorefiles()) {
      StoreFileReader reader = file.getReader();
      if (reader != null && reader.getBloomFilterType() == BloomType.ROWCOL) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reads the current row, and moves the heap to the next one.
   *
   * @return whether the store has more rows for the scan; null if HBase must read the row, then
   *     scanner, heap, and results are unchanged
   */
  NextState read(StoreHeap heap, List<Cell> results, ScannerContext context) throws IOException {
    if (ended) {
      return NextState.NO_MORE_VALUES;
    }
    if (!context.getKeepProgress()
        || context.getSkippingRow()
        || context.hasBatchLimit(LimitScope.BETWEEN_CELLS)
        || isInRow()) {
      return null;
    }
    LeanFileScanner file = heap.fileOfRow();
    // The row before tells whether rows have columns to skip.
    if (file == null || !isDue() || endsSingleReads(bytesRead()) || !isCounted(file)) {
      return null;
    }
    this.context = context;
    boolean plain = file.readRow(row);
    boolean taken = plain && take(file, results);
    trying = plain && (taken ? !isPassedOver() : isCounted(file));
    tries.ended(trying);
    return taken ? next(file, heap) : null;
  }

  /** Returns whether a filter left most of the row out by hints, behind which HBase seeks. */
  private boolean isPassedOver() {
    return filter != null && 2 * filter.passedOver() > row.cells().size();
  }

  /** Adds the rows that were read to the metrics. */
  void count() {
    ReaderMetrics.plainRows(uncounted);
    uncounted = 0;
  }

  /** Returns whether to try. If the store's tries fail, only some rows are tried. */
  private boolean isDue() {
    return tries.pay() || trying || ++skipped % Tries.RARELY == 0;
  }

  private boolean isInRow() {
    return ((ScanQueryMatcher) MATCHER.get(scanner)).currentRow() != null;
  }

  /** Returns whether HBase ends the request after so many bytes, to change to a stream. */
  private boolean endsSingleReads(long bytes) {
    return bytes > mostSingleBytes && scanner.isScanUsePread();
  }

  /** Returns whether the bytes at which HBase looks are known, or do not matter. */
  private boolean isCounted(LeanFileScanner file) {
    return !row.isSkipping()
        || mostSingleBytes == Long.MAX_VALUE
        || !scanner.isScanUsePread()
        || (oneColumn && file.isSkipping());
  }

  private long bytesRead() {
    return (long) BYTES_READ.get(scanner);
  }

  /**
   * Takes the row unless HBase would end the request within it.
   *
   * @return false if not; then the file is at the row again
   */
  private boolean take(LeanFileScanner file, List<Cell> results) throws IOException {
    boolean taken;
    boolean moving = false;
    try {
      file.recordBlockSize(recordBlock);
      taken = fits(file);
      if (taken && filter == null) {
        addAll(results, file.peek());
      } else if (taken) {
        applyFilter(results);
      }
      target = taken && !ended ? target(file) : null;
      moving = taken && !ended && target == null;
    } finally {
      if (!moving) {
        file.backToRow();
      }
    }
    uncounted += taken ? 1 : 0;
    return taken;
  }

  private boolean fits(LeanFileScanner file) {
    return row.dataBytes() <= mostRowBytes
        && row.cells().size() <= mostCells
        && isCounted(file)
        && !endsSingleReads(bytesRead() + row.seenBytes())
        && isWithinLimits();
  }

  private void applyFilter(List<Cell> results) throws IOException {
    try {
      filter.apply(row.cells(), results, context);
      ended = filter.isScanEnded();
    } finally {
      BYTES_READ.set(scanner, bytesRead() + filter.seenBytes());
      countRow(filter.included());
    }
  }

  /** Adds a row to the store's metrics if a scan gets cells of it. */
  private void countRow(int cells) {
    if (cells > 0) {
      store.updateMetricsStore(false);
    }
  }

  private void addAll(List<Cell> results, Cell first) {
    BYTES_READ.set(scanner, bytesRead() + row.seenBytes());
    context.setLastPeekedCell(first);
    context.incrementSizeProgress(row.dataBytes(), row.heapBytes());
    context.incrementBatchProgress(row.cells().size());
    // A coprocessor's list may be able to add single cells only.
    for (int i = 0; i < row.cells().size(); i++) {
      results.add(row.cells().get(i));
    }
    countRow(row.cells().size());
  }

  /**
   * Returns whether all cells of the row are within the limits of size. Changes nothing. A filter
   * may exceed the limit of the heap by larger cells of the last row.
   */
  private boolean isWithinLimits() {
    int cells = context.getBatchProgress();
    long dataBytes = context.getDataSizeProgress();
    long heapBytes = context.getHeapSizeProgress();
    int more = row.cells().size();
    long margin = filter == null ? 0 : PlainRowFilter.MORE_HEAP_BYTES * more;
    context.incrementSizeProgress(row.dataBytes(), row.heapBytes() + margin);
    context.incrementBatchProgress(more);
    try {
      return !context.checkSizeLimit(LimitScope.BETWEEN_CELLS);
    } finally {
      context.setProgress(cells, dataBytes, heapBytes);
    }
  }

  /**
   * Returns the key that the scan must seek behind the row, or null if the next row follows. By its
   * first seek in a block, HBase learns where the block ends. From then on it steps over cells, and
   * looks at some of later rows that it would pass over by a seek. So this scan seeks too.
   */
  private Cell target(LeanFileScanner file) {
    if (filter != null && filter.target() != null) {
      return filter.target();
    }
    boolean seeks = filter == null ? row.seeks() : filter.seeks();
    return seeks && file.getNextIndexedKey() == null
        ? PrivateCellUtil.createLastOnRow(file.peek())
        : null;
  }

  /** Moves to the next row. */
  private NextState next(LeanFileScanner file, StoreHeap heap) throws IOException {
    if (ended) {
      return NextState.NO_MORE_VALUES;
    }
    if (target != null) {
      scanner.reseek(target);
      // After a flush, a seek begins the row again.
      ((ScanQueryMatcher) MATCHER.get(scanner)).clearCurrentRow();
    } else {
      file.endRow();
      heap.moved(file);
    }
    lookAtNext(scanner.heap);
    return ended ? NextState.NO_MORE_VALUES : NextState.MORE_VALUES;
  }

  /**
   * Counts the first cell of the next row like HBase, which looks at it to find the row's end. A
   * filter that included nothing of a store's last row ends the scan of the store.
   */
  private void lookAtNext(KeyValueHeap heap) throws IOException {
    Cell following = heap.peek();
    if (following == null) {
      ended = filter != null && filter.included() == 0;
      return;
    }
    long bytes = bytesRead() + PrivateCellUtil.estimatedSerializedSizeOf(following);
    BYTES_READ.set(scanner, bytes);
    if (endsSingleReads(bytes)) {
      context.returnImmediately();
    }
    heap.recordBlockSize(recordBlock);
    context.setLastPeekedCell(following);
    ended = filter != null && filter.askForEnd();
  }
}
