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
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
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
 * <p>HBase reads all other rows, and a row within which a limit ends the request.
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
  private final long mostRowBytes;

  /**
   * The bytes after which HBase changes from single reads to a stream, or {@link Long#MAX_VALUE}.
   */
  private final long mostSingleBytes;

  /** Whether the last tried row was plain. A scanner tries its first row like any request. */
  private boolean trying;

  private int skipped;

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
      StoreScanner scanner, LeanStore store, ScanInfo info, PlainRow row, boolean maySwitch) {
    this.scanner = scanner;
    this.store = store;
    this.row = row;
    tries = store.plainRows();
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
    if (!qualifies(scan) || !tracksDeletesOnly(scanner) || usesColumnFilters(store, columns)) {
      return null;
    }
    long oldest = (long) OLDEST.get(scanner);
    int versions = Math.min(scan.getMaxVersions(), info.getMaxVersions());
    boolean maySwitch =
        scan.getReadType() == Scan.ReadType.DEFAULT
            && !info.isUsePread()
            && info.getPreadMaxBytes() >= 0;
    PlainRow row = new PlainRow(scanner.getReadPoint(), oldest, versions, columns);
    return new PlainRows(scanner, store, info, row, maySwitch);
  }

  private static boolean qualifies(Scan scan) {
    return !scan.isGetScan()
        && !scan.isRaw()
        && scan.getFilter() == null
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
   * @return false if HBase must read the row; then scanner, heap, and results are unchanged
   */
  boolean read(StoreHeap heap, List<Cell> results, ScannerContext context) throws IOException {
    if (!context.getKeepProgress()
        || context.getSkippingRow()
        || context.hasBatchLimit(LimitScope.BETWEEN_CELLS)
        || isInRow()) {
      return false;
    }
    LeanFileScanner file = heap.fileOfRow();
    // The row before tells whether rows have columns to skip.
    if (file == null || !isDue() || endsSingleReads(bytesRead()) || !isCounted(file)) {
      return false;
    }
    this.context = context;
    trying = file.readRow(row);
    tries.ended(trying);
    return trying && take(file, heap, results);
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
        || file.isSkipping();
  }

  private long bytesRead() {
    return (long) BYTES_READ.get(scanner);
  }

  /** Takes the row unless HBase would end the request within it. */
  private boolean take(LeanFileScanner file, StoreHeap heap, List<Cell> results)
      throws IOException {
    long bytes = bytesRead() + row.seenBytes();
    boolean fits = false;
    try {
      file.recordBlockSize(recordBlock);
      fits =
          row.dataBytes() <= mostRowBytes
              && isCounted(file)
              && !endsSingleReads(bytes)
              && isWithinLimits();
    } finally {
      if (!fits) {
        file.backToRow();
      }
    }
    if (fits) {
      uncounted++;
      BYTES_READ.set(scanner, bytes);
      context.setLastPeekedCell(file.peek());
      // A coprocessor's list may be able to add single cells only.
      for (int i = 0; i < row.cells().size(); i++) {
        results.add(row.cells().get(i));
      }
      next(file, heap);
    }
    return fits;
  }

  private boolean isWithinLimits() {
    int cells = context.getBatchProgress();
    long dataBytes = context.getDataSizeProgress();
    long heapBytes = context.getHeapSizeProgress();
    context.incrementSizeProgress(row.dataBytes(), row.heapBytes());
    context.incrementBatchProgress(row.cells().size());
    if (context.checkSizeLimit(LimitScope.BETWEEN_CELLS)) {
      context.setProgress(cells, dataBytes, heapBytes);
      return false;
    }
    return true;
  }

  /** Counts the first cell of the next row like HBase, which looks at it to find the row's end. */
  private void lookAt(Cell following, StoreHeap heap) {
    long bytes = bytesRead() + PrivateCellUtil.estimatedSerializedSizeOf(following);
    BYTES_READ.set(scanner, bytes);
    if (endsSingleReads(bytes)) {
      context.returnImmediately();
    }
    heap.recordBlockSize(recordBlock);
    context.setLastPeekedCell(following);
  }

  private void next(LeanFileScanner file, StoreHeap heap) throws IOException {
    file.endRow();
    heap.moved(file);
    Cell following = heap.peek();
    if (following != null) {
      lookAt(following, heap);
    }
    if (!row.cells().isEmpty()) {
      store.updateMetricsStore(false);
    }
  }
}
