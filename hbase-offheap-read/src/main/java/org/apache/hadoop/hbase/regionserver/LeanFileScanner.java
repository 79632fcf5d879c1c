package org.apache.hadoop.hbase.regionserver;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.fastpath.offheap.reader.PlainRow;
import org.fastpath.offheap.reader.RowScanner;

/** A scanner of a store file that can read a row at once. As thread-safe as its superclass. */
final class LeanFileScanner extends StoreFileScanner {
  /** A key of a delayed seek, which {@link #peek} may show, has another type. */
  private static final byte PUT = KeyValue.Type.Put.getCode();

  private final HFileScanner cells;

  /**
   * The same scanner. It is null if HBase must read each cell: with its own scanner or an encoding,
   * or because the cells get another sequence number.
   */
  private final RowScanner rows;

  private final boolean hasSequences;

  LeanFileScanner(
      StoreFileReader reader,
      HFileScanner cells,
      long readPoint,
      long order,
      boolean canOptimizeForNonNullColumn) {
    super(
        reader,
        cells,
        true,
        reader.getHFileReader().hasMVCCInfo(),
        readPoint,
        order,
        canOptimizeForNonNullColumn,
        reader.getHFileReader().getDataBlockEncoding() == DataBlockEncoding.ROW_INDEX_V1);
    this.cells = cells;
    rows =
        cells instanceof RowScanner scanner && scanner.readsRows() && !reader.isBulkLoaded()
            ? scanner
            : null;
    hasSequences = reader.getHFileReader().hasMVCCInfo();
  }

  /** Returns whether rows of the file can be read at once. */
  boolean readsRows() {
    return rows != null;
  }

  /**
   * Reads the current row, whose first cell {@link #peek} still returns. Then either {@link
   * #endRow} or {@link #backToRow} must follow.
   *
   * @return false if HBase must read the row; the scanner is where it was
   */
  boolean readRow(PlainRow row) {
    return realSeekDone() && peek().getTypeByte() == PUT && rows.readRow(row, peek());
  }

  /**
   * Returns whether HBase goes from cell to cell in the current block, because it knows where the
   * block ends. Otherwise it seeks.
   */
  boolean isSkipping() {
    Cell end = getNextIndexedKey();
    return end != null && end != NO_NEXT_INDEXED_KEY;
  }

  /**
   * Makes the first cell of the next row the current one.
   *
   * @throws IOException like HBase's scanner, so that clients open another one
   */
  void endRow() throws IOException {
    try {
      setCurrentCell(cells.getCell());
      if (hasSequences) {
        skipKVsNewerThanReadpoint();
      }
    } catch (FileNotFoundException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("Could not iterate " + this, e);
    }
  }

  /** Stays at the row. */
  void backToRow() {
    rows.backToRow();
  }
}
