package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.PreparedRows.Answer;
import org.apache.hadoop.hbase.regionserver.ScannerContext.NextState;

/**
 * Merges the stores of a region like {@code KeyValueHeap}, but calls a store's scanner directly,
 * for the reason in {@link StoreHeap}. A region of one family has nothing to merge, so its only
 * scanner stays in place.
 *
 * <p>{@link #prepareRow} reads rows ahead. The heap then answers with these rows first. If the
 * preparation ends in the middle of a row, its scanners are unusable. The heap then opens new ones
 * at that row when HBase asks for it. After a failed read it opens them at the first row of the
 * preparation. Not thread-safe, like its superclass.
 */
final class RegionHeap extends KeyValueHeap {
  /** Opens scanners of the same scan from a row on; some stores are read as streams. */
  interface Opener {
    List<KeyValueScanner> open(byte[] row, Set<HStore> streams) throws IOException;
  }

  /** The rows that were read ahead, or null. */
  private PreparedRows prepared;

  private Opener opener;

  RegionHeap(List<? extends KeyValueScanner> scanners, CellComparator comparator)
      throws IOException {
    super(scanners, comparator);
  }

  @Override
  public Cell peek() {
    return prepared == null ? peekNow() : peekPrepared();
  }

  private Cell peekPrepared() {
    if (!prepared.isEmpty()) {
      return prepared.peek();
    }
    return prepared.isBroken() ? prepared.brokenAt() : peekNow();
  }

  private Cell peekNow() {
    return current instanceof StoreScanner store ? store.peek() : super.peek();
  }

  @Override
  public boolean next(List<Cell> results, ScannerContext context) throws IOException {
    if (prepared != null && isPrepared(context)) {
      return prepared.next(results, context);
    }
    return nextNow(results, context);
  }

  /**
   * Gives a whole row that was read ahead, if another one follows and no limit of size is reached.
   *
   * @return false if HBase must ask for the row; then nothing is changed
   */
  boolean give(List<Cell> results, ScannerContext context) {
    return prepared != null && prepared.give(results, context);
  }

  private boolean nextNow(List<Cell> results, ScannerContext context) throws IOException {
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

  /**
   * Returns whether the next answer is prepared. If not, the scanners are at the position that
   * HBase expects.
   */
  private boolean isPrepared(ScannerContext context) throws IOException {
    if (!prepared.isEmpty() && !prepared.exceeds(context)) {
      return true;
    }
    prepared.giveMetrics();
    Cell broken = prepared.isEmpty() ? prepared.brokenAt() : prepared.peek();
    if (broken != null) {
      goOnAt(CellUtil.cloneRow(broken));
    }
    prepared = null;
    return false;
  }

  /** Replaces the scanners. The old ones keep their cells until the answer is sent. */
  private void goOnAt(byte[] row) throws IOException {
    List<KeyValueScanner> old = new ArrayList<>(heap);
    if (current != null) {
      old.add(current);
    }
    ReadCounts before = ReadCounts.take();
    List<KeyValueScanner> scanners = opener.open(row, streams(old));
    // The old scanners have read and counted the cells at which these stand.
    ReadCounts.take();
    before.give();
    scannersForDelayedClose.addAll(old);
    current = null;
    heap.clear();
    for (KeyValueScanner scanner : scanners) {
      (scanner.peek() == null ? scannersForDelayedClose : heap).add(scanner);
    }
    current = pollRealKV();
  }

  /**
   * Returns the stores that are read as streams. HBase changes from single reads to streams once
   * for each store, so new scanners go on with streams. A store that was read ahead to its end has
   * no scanner here, and begins again with single reads.
   */
  private static Set<HStore> streams(List<KeyValueScanner> scanners) {
    Set<HStore> streams = new HashSet<>();
    for (KeyValueScanner scanner : scanners) {
      if (scanner instanceof StoreScanner store && !store.isScanUsePread()) {
        streams.add(store.store);
      }
    }
    return streams;
  }

  /** Seeks and drops the prepared rows before the key. */
  @Override
  public boolean requestSeek(Cell key, boolean forward, boolean useBloom) throws IOException {
    if (prepared != null) {
      prepared.giveMetrics();
      Cell cell = peek();
      boolean there = cell != null && comparator.getComparator().compareRows(cell, key) >= 0;
      if (!prepared.isEmpty() && there) {
        return true;
      }
      if (cell != null && (!prepared.isEmpty() || prepared.isBroken())) {
        goOnAt(CellUtil.cloneRow(cell));
      }
      prepared = null;
    }
    return super.requestSeek(key, forward, useBloom);
  }

  /** Returns whether the scanners below are at the end of a row, after all prepared rows. */
  boolean isWhole() {
    return prepared == null || (!prepared.isBroken() && !prepared.endsInRow());
  }

  /** Returns the number of waiting rows that have cells. */
  int preparedRows() {
    return prepared == null ? 0 : prepared.size();
  }

  /** Returns the first cell of the next row to prepare, or null. */
  Cell peekToPrepare() {
    return peekNow();
  }

  /** Begins a preparation; {@code after} opens scanners if it ends within a row. */
  void beginToPrepare(Opener after) {
    opener = after;
    if (prepared == null) {
      prepared = new PreparedRows();
    }
    Cell first = peekNow();
    prepared.begin(first == null ? null : CellUtil.cloneRow(first));
  }

  /** Ends the preparation, in the same thread. */
  void endToPrepare() {
    prepared.end();
  }

  /**
   * Drops the rows of the preparation after a failed read, and goes on at the first of them. HBase
   * has closed a scanner by then and released its blocks, to which the rows' cells refer.
   */
  void dropPreparation() {
    prepared.drop();
  }

  /** Passes the counts of the preparation to the current request. */
  void giveMetrics() {
    if (prepared != null) {
      prepared.giveMetrics();
    }
  }

  /**
   * Prepares the next row, or the start of a row within which HBase ends the request.
   *
   * @throws PreparingContext.Exceeded if a bound is exceeded; then the heap goes on at this row
   * @throws IOException if a read failed; then the preparation must be dropped
   */
  void prepareRow(PreparingContext context) throws IOException {
    Cell first = peekNow();
    context.beginRow();
    try {
      Answer row = answer(first, context);
      Answer last = row;
      Cell following = peekNow();
      while (!context.isImmediate()
          && following != null
          && CellUtil.matchingRows(following, first)) {
        Answer another = answer(following, context);
        last.followedBy(another);
        last = another;
        following = peekNow();
      }
      prepared.add(row);
      context.endRow();
    } catch (PreparingContext.Exceeded e) {
      prepared.broken(CellUtil.cloneRow(first));
      throw e;
    }
  }

  private Answer answer(Cell before, PreparingContext context) throws IOException {
    context.beginCall();
    List<Cell> cells = new ArrayList<>();
    boolean more = nextNow(cells, context);
    return new Answer(before, cells, more, context);
  }

  /** Copies waiting cells, because their blocks are released. */
  @Override
  public void shipped() throws IOException {
    if (prepared != null) {
      prepared.copy();
    }
    super.shipped();
  }
}
