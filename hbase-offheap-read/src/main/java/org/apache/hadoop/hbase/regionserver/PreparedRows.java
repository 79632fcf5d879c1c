package org.apache.hadoop.hbase.regionserver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.monitoring.ThreadLocalServerSideScanMetrics;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.regionserver.ScannerContext.NextState;

/**
 * The rows that a {@link RegionHeap} has read before HBase asks for them. They are stored as the
 * answers that the heap will give. An answer is the result of one call of {@code next}: cells,
 * state, and progress towards limits.
 *
 * <p>An answer is counted when it is given. Only whole rows are kept, or the start of a row within
 * which HBase itself would have ended the request.
 *
 * <p>Not thread-safe.
 */
final class PreparedRows {
  /** The result of one call. */
  static final class Answer {
    private Cell before;
    private final List<Cell> cells;
    private final boolean more;
    private final NextState state;
    private final boolean immediately;
    private Cell peeked;
    private final long dataBytes;
    private final long heapBytes;
    private final long blockBytes;
    private final LeanStore store;
    private final boolean fromMemstore;

    /** The next answer of the same row; null at its end. */
    private Answer following;

    /** The counts of the row's reads, if this is its first answer. */
    private ReadCounts counts = ReadCounts.NONE;

    /**
     * Stores the result of a call.
     *
     * @param before the heap's current cell before the call
     * @param cells the cells that the call added
     * @param more the value that it returned
     */
    Answer(Cell before, List<Cell> cells, boolean more, PreparingContext context) {
      this.before = before;
      this.cells = cells;
      this.more = more;
      state = context.scannerState;
      immediately = context.isImmediate();
      peeked = context.getLastPeekedCell();
      dataBytes = context.dataBytes();
      heapBytes = context.heapBytes();
      blockBytes = context.blockBytes();
      store = context.reads().take();
      fromMemstore = context.reads().fromMemstore();
    }

    /** Appends another answer of the same row. */
    void followedBy(Answer answer) {
      following = answer;
    }

    private boolean isImmediate() {
      return immediately || (following != null && following.isImmediate());
    }

    /** Returns whether HBase's next call is for another row. */
    private boolean isWholeRow() {
      return following == null && more && !immediately && !cells.isEmpty();
    }

    private boolean hasCells() {
      return !cells.isEmpty() || (following != null && following.hasCells());
    }

    private void copy() {
      before = PreparedRows.copy(before);
      cells.replaceAll(PreparedRows::copy);
      peeked = peeked == null ? null : PreparedRows.copy(peeked);
    }
  }

  /** Limits of a request, with their own progress. */
  private static final class Probe extends ScannerContext {
    private final ScannerContext of;

    Probe(ScannerContext context) {
      super(true, null, false);
      of = context;
      limits = context.limits;
      setSizeProgress(context.getDataSizeProgress(), context.getHeapSizeProgress());
      incrementBlockProgress((int) context.getBlockSizeProgress());
    }

    boolean isOf(ScannerContext context) {
      return of == context
          && getDataSizeProgress() == context.getDataSizeProgress()
          && getHeapSizeProgress() == context.getHeapSizeProgress()
          && getBlockSizeProgress() == context.getBlockSizeProgress();
    }

    boolean reachedBy(Answer row) {
      for (Answer answer = row; answer != null; answer = answer.following) {
        incrementSizeProgress(answer.dataBytes, answer.heapBytes);
        incrementBlockProgress((int) answer.blockBytes);
      }
      return checkSizeLimit(LimitScope.BETWEEN_CELLS);
    }
  }

  /** The first answer of each row. */
  private final Deque<Answer> rows = new ArrayDeque<>();

  /** The rest of the row that HBase is reading, or null. */
  private Answer rest;

  /** The first possible cell of the row at which the scan must continue; null if it can go on. */
  private Cell brokenAt;

  private int size;
  private Probe probe;

  /** The first row of the current preparation; null if the scan is at its end. */
  private byte[] begin;

  /**
   * The rows that were added since all waiting cells were copied. Each preparation begins with 0.
   */
  private int added;

  /** Whether the current preparation counts reads. */
  private boolean counting;

  /** The counts of reads that found no row. */
  private ReadCounts withoutRow = ReadCounts.NONE;

  boolean isEmpty() {
    return rest == null && rows.isEmpty();
  }

  /** Returns the number of waiting rows that have cells. */
  int size() {
    return size;
  }

  /** Returns the heap's current cell; null if no row waits. */
  Cell peek() {
    Answer next = rest == null ? rows.peekFirst() : rest;
    return next == null ? null : next.before;
  }

  /** Returns whether HBase will end a request within the last waiting row. */
  boolean endsInRow() {
    return rows.stream().anyMatch(Answer::isImmediate) || (rest != null && rest.isImmediate());
  }

  /** Adds a row, with the counts of the thread's reads since the last one. */
  void add(Answer first) {
    first.counts = counting ? ReadCounts.take() : ReadCounts.NONE;
    rows.addLast(first);
    added++;
    size += first.hasCells() ? 1 : 0;
  }

  /** Records that the scanners below are unusable, and the row at which the scan must continue. */
  void broken(byte[] row) {
    brokenAt = PrivateCellUtil.createFirstOnRow(row);
  }

  boolean isBroken() {
    return brokenAt != null;
  }

  /** Returns the first possible cell of that row, or null. */
  Cell brokenAt() {
    return brokenAt;
  }

  /**
   * Begins a preparation: takes the counts of the thread's reads before it. Rows of an earlier one
   * become independent of their blocks, because this one may fail.
   *
   * @param row its first row; null if the scan is at its end
   */
  void begin(byte[] row) {
    counting = ThreadLocalServerSideScanMetrics.isScanMetricsEnabled();
    withoutRow = withoutRow.plus(ReadCounts.take());
    copy();
    begin = row;
  }

  /** Drops the rows that the preparation added. They will count when they are read again. */
  void drop() {
    for (; added > 0; added--) {
      size -= rows.removeLast().hasCells() ? 1 : 0;
    }
    broken(begin);
  }

  /** Ends a preparation. A row that was not read to its end will count when it is read again. */
  void end() {
    ReadCounts rest = ReadCounts.take();
    if (brokenAt == null) {
      withoutRow = withoutRow.plus(rest);
    }
  }

  /** Adds these counts to the metrics of the current request, once. */
  void giveMetrics() {
    withoutRow.give();
    withoutRow = ReadCounts.NONE;
  }

  /**
   * Returns whether HBase would stop within the next row, or at its end, because of a size limit.
   * HBase must read that row itself. The rest of a started row is never too large.
   */
  boolean exceeds(ScannerContext context) {
    if (rest != null
        || context.getSkippingRow()
        || !context.hasSizeLimit(LimitScope.BETWEEN_CELLS)) {
      return false;
    }
    if (probe == null || !probe.isOf(context)) {
      probe = new Probe(context);
    }
    return probe.reachedBy(rows.getFirst());
  }

  /**
   * Gives a whole row, if another one follows.
   *
   * @return false if HBase must ask for the row; then nothing is changed
   */
  boolean give(List<Cell> results, ScannerContext context) {
    if (rest != null || rows.size() < 2 || !rows.getFirst().isWholeRow() || exceeds(context)) {
      return false;
    }
    next(results, context);
    return true;
  }

  /** Returns the next answer, like a heap. */
  boolean next(List<Cell> results, ScannerContext context) {
    Answer answer = rest;
    if (answer == null) {
      answer = rows.removeFirst();
      answer.counts.give();
      size -= answer.hasCells() ? 1 : 0;
    }
    rest = answer.following;
    if (!context.getKeepProgress() && !context.getSkippingRow()) {
      context.clearProgress();
    }
    giveMetrics();
    for (Cell cell : answer.cells) {
      results.add(cell);
    }
    context.incrementSizeProgress(answer.dataBytes, answer.heapBytes);
    context.incrementBatchProgress(answer.cells.size());
    countBlocks(answer.blockBytes, context);
    context.setLastPeekedCell(answer.peeked);
    if (answer.store != null) {
      answer.store.updateMetricsStore(answer.fromMemstore);
    }
    if (answer.immediately) {
      context.returnImmediately();
    }
    context.setScannerState(answer.state);
    return answer.more;
  }

  private static void countBlocks(long bytes, ScannerContext context) {
    if (bytes > 0) {
      context.incrementBlockProgress((int) bytes);
      RpcCall call = RpcServer.getCurrentCall().orElse(null);
      if (call != null) {
        call.incrementBlockBytesScanned(bytes);
      }
    }
  }

  /** Makes waiting cells independent of their blocks. */
  void copy() {
    if (added > 0) {
      copy(rest);
      rows.forEach(PreparedRows::copy);
      added = 0;
    }
  }

  private static void copy(Answer first) {
    for (Answer answer = first; answer != null; answer = answer.following) {
      answer.copy();
    }
  }

  /** Copies a cell. It does not clone it, because HBase's decoded cells refuse that. */
  private static Cell copy(Cell cell) {
    return new KeyValue(cell);
  }
}
