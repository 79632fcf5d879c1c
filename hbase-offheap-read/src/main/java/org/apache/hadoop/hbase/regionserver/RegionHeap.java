package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.PreparedRows.Answer;
import org.apache.hadoop.hbase.regionserver.ScannerContext.NextState;

/**
 * Merges the stores of a region as {@code KeyValueHeap} does, calling a store's scanner directly,
 * for the reason that {@link StoreHeap} gives. A region of one family has nothing to merge: its
 * only scanner stays where it is.
 *
 * <p>{@link #prepareRow} reads rows ahead, and the heap then answers with these rows first. If the
 * reading ends in the middle of a row, its scanners are lost. The heap then opens new ones at that
 * row when HBase asks for it. Not thread-safe, like the class above it.
 */
final class RegionHeap extends KeyValueHeap {
  /** Opens scanners of the same scan from a row on. */
  interface Opener {
    List<KeyValueScanner> open(byte[] row) throws IOException;
  }

  /** Null unless rows were read ahead. */
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
    return prepared.brokenAt() == null ? peekNow() : prepared.brokenAt();
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
   * Returns whether the next answer is there. If not, the scanners are where HBase expects them.
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

  /** Replaces the scanners. The cells of the old ones stay until the answer is sent. */
  private void goOnAt(byte[] row) throws IOException {
    List<KeyValueScanner> scanners = opener.open(row);
    if (current != null) {
      scannersForDelayedClose.add(current);
      current = null;
    }
    scannersForDelayedClose.addAll(heap);
    heap.clear();
    for (KeyValueScanner scanner : scanners) {
      (scanner.peek() == null ? scannersForDelayedClose : heap).add(scanner);
    }
    current = pollRealKV();
  }

  /** Forgets the rows before a key. */
  @Override
  public boolean requestSeek(Cell key, boolean forward, boolean useBloom) throws IOException {
    if (prepared != null) {
      prepared.giveMetrics();
      Cell cell = peek();
      boolean there = cell != null && comparator.getComparator().compareRows(cell, key) >= 0;
      if (!prepared.isEmpty() && there) {
        return true;
      }
      if (cell != null && (!prepared.isEmpty() || prepared.brokenAt() != null)) {
        goOnAt(CellUtil.cloneRow(cell));
      }
      prepared = null;
    }
    return super.requestSeek(key, forward, useBloom);
  }

  /** Returns whether the scanners below are where a row ends, after all that were prepared. */
  boolean isWhole() {
    return prepared == null || (prepared.brokenAt() == null && !prepared.endsInRow());
  }

  /** Returns how many rows wait that have cells. */
  int preparedRows() {
    return prepared == null ? 0 : prepared.size();
  }

  /** Returns the cell at which the next row to be prepared begins, or null. */
  Cell peekToPrepare() {
    return peekNow();
  }

  /** Begins to read rows ahead; {@code after} opens scanners if the reading cannot end. */
  void beginToPrepare(Opener after) {
    opener = after;
    if (prepared == null) {
      prepared = new PreparedRows();
    }
  }

  /** Ends it, in the same thread. */
  void endToPrepare() {
    prepared.takeMetrics();
  }

  /** Gives what the reading has counted to the request that is served. */
  void giveMetrics() {
    if (prepared != null) {
      prepared.giveMetrics();
    }
  }

  /** Reads the next row ahead, or the beginning of a row within which HBase ends the request. */
  void prepareRow(PreparingContext context) throws IOException {
    Cell first = peekNow();
    boolean read = false;
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
      read = true;
    } finally {
      if (!read) {
        prepared.broken(first);
      }
    }
  }

  private Answer answer(Cell before, PreparingContext context) throws IOException {
    context.beginCall();
    List<Cell> cells = new ArrayList<>();
    boolean more = nextNow(cells, context);
    return new Answer(before, cells, more, context);
  }

  /** The blocks of cells that wait are given back. */
  @Override
  public void shipped() throws IOException {
    if (prepared != null) {
      prepared.copy();
    }
    super.shipped();
  }
}
