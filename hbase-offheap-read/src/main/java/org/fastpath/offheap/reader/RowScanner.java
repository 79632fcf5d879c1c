package org.fastpath.offheap.reader;

import org.apache.hadoop.hbase.Cell;

/** A scanner of a file that can read a row at once. As thread-safe as the scanner: not at all. */
public interface RowScanner {
  /** Returns whether the file's encoding allows it. */
  boolean readsRows();

  /**
   * Reads the current row and moves to the first cell of the next one.
   *
   * @param first the scanner's current cell, the first one of the row
   * @return false if the row is not {@linkplain PlainRow plain}, or the next row is in another
   *     block. Then the scanner has not moved.
   */
  boolean readRow(PlainRow row, Cell first);

  /** Moves back to the first cell of the row that was read last. */
  void backToRow();
}
