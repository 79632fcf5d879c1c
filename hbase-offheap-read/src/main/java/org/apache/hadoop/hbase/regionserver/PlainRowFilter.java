package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher;

/**
 * Shows the cells of a {@linkplain org.fastpath.offheap.reader.PlainRow plain row} to the scan's
 * filter. Order and number of the calls are those of HBase's matcher, because a filter may count
 * them. No column of the row has two versions, so only the filter decides.
 *
 * <p>HBase cannot go on in the middle of a row of which a filter has seen cells. So the caller
 * checks limits before.
 *
 * <p>Not thread-safe. A scanner uses one object for all its rows.
 */
final class PlainRowFilter {
  /** The bytes on the heap that a cell of HBase's filters may have more than the cell before. */
  static final long MORE_HEAP_BYTES = 64;

  private final Filter filter;
  private final ScanQueryMatcher matcher;
  private final CellComparator comparator;

  /** Where the filter wants to go on, behind the row; null for the next row. */
  private Cell target;

  /** The cells of the row that the filter left out by hints. */
  private int passedOver;

  private boolean seeks;
  private boolean scanEnded;
  private int included;
  private long seenBytes;

  PlainRowFilter(Filter filter, ScanQueryMatcher matcher, CellComparator comparator) {
    this.filter = filter;
    this.matcher = matcher;
    this.comparator = comparator;
  }

  /**
   * Adds the cells that the filter includes to the results, and their sizes to the context.
   *
   * @throws IOException from the filter
   */
  void apply(List<Cell> cells, List<Cell> results, ScannerContext context) throws IOException {
    target = null;
    seeks = false;
    passedOver = 0;
    included = 0;
    seenBytes = 0;
    int next = 0;
    while (next < cells.size()) {
      Cell cell = cells.get(next);
      int bytes = PrivateCellUtil.estimatedSerializedSizeOf(cell);
      seenBytes += bytes;
      context.setLastPeekedCell(cell);
      if (askForEnd()) {
        return;
      }
      Filter.ReturnCode answer = filter.filterCell(cell);
      switch (answer) {
        case INCLUDE, INCLUDE_AND_NEXT_COL -> {
          include(cell, bytes, results, context);
          seeks |= answer == Filter.ReturnCode.INCLUDE_AND_NEXT_COL;
          next++;
        }
        case SKIP, NEXT_COL -> {
          seeks |= answer == Filter.ReturnCode.NEXT_COL;
          next++;
        }
        case INCLUDE_AND_SEEK_NEXT_ROW -> {
          endRow(include(cell, bytes, results, context));
          return;
        }
        case NEXT_ROW -> {
          endRow(cell);
          return;
        }
        case SEEK_NEXT_USING_HINT -> next = seek(cells, next);
        default -> throw new IllegalStateException("unknown answer of " + filter);
      }
    }
  }

  private Cell include(Cell cell, int bytes, List<Cell> results, ScannerContext context)
      throws IOException {
    Cell transformed = filter.transformCell(cell);
    results.add(transformed);
    included++;
    context.incrementSizeProgress(bytes, transformed.heapSize());
    context.incrementBatchProgress(1);
    return transformed;
  }

  private void endRow(Cell cell) {
    seeks = true;
    scanEnded = !matcher.moreRowsMayExistAfter(cell);
  }

  /** Returns the place in the row at which the filter wants to go on after a cell. */
  private int seek(List<Cell> cells, int place) throws IOException {
    Cell cell = cells.get(place);
    Cell hint = filter.getNextCellHint(cell);
    int next = place + 1;
    if (hint == null || comparator.compare(hint, cell) <= 0) {
      return next;
    }
    seeks = true;
    // Like a seek in a file, this finds a cell of another sequence number.
    while (next < cells.size()
        && PrivateCellUtil.compareKeyIgnoresMvcc(comparator, cells.get(next), hint) < 0) {
      next++;
    }
    passedOver += next - place - 1;
    target = next == cells.size() ? hint : null;
    return next;
  }

  /** Asks the filter whether it is done with the whole scan, and keeps the answer. */
  boolean askForEnd() throws IOException {
    scanEnded = filter.filterAllRemaining();
    return scanEnded;
  }

  /** Returns whether the scan ended, by the filter or behind its last row. */
  boolean isScanEnded() {
    return scanEnded;
  }

  /** Returns whether HBase seeks in the row, unless it knows where the block ends. */
  boolean seeks() {
    return seeks;
  }

  /** Returns the number of the row's cells that the filter left out by hints. */
  int passedOver() {
    return passedOver;
  }

  /** Returns the key of another row at which the filter wants to go on, or null. */
  Cell target() {
    return target;
  }

  /** Returns the number of the row's cells that the filter included. */
  int included() {
    return included;
  }

  /** Returns the bytes of the row's cells that the filter has seen. */
  long seenBytes() {
    return seenBytes;
  }
}
