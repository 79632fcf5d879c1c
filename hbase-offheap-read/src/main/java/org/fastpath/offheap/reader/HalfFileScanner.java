package org.fastpath.offheap.reader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;

/**
 * Scans the half of a file on one side of the key at which its region was split. It uses a scanner
 * of the whole file. The top half begins with the first cell that is not before that key. The
 * bottom half ends before it.
 *
 * <p>Results equal those of HBase's own scanner, including two peculiar ones. After {@link #next}
 * has reached the end of the bottom half, there is no current cell until {@link #seekBefore} finds
 * one. A seek in the bottom half to a key in the top half ends on the bottom's last cell and
 * returns 1.
 *
 * <p>The end of the bottom half costs one comparison per cell. The compared cell is the one that
 * the caller then gets, so it is created once and its key is not copied. Not thread-safe. {@link
 * #close} releases the blocks of the scanner of the whole file.
 */
public final class HalfFileScanner implements HFileScanner {
  private final HFileScanner whole;
  private final boolean top;
  private final Cell split;
  private final Supplier<Optional<Cell>> firstOfTop;
  private final CellComparator comparator;

  /** The cell that {@link #next} compared and found in the bottom half, otherwise null. */
  private Cell compared;

  private boolean atEnd;

  /**
   * Creates the scanner of a half.
   *
   * @param whole closed with the half
   * @param split the first possible key of the top half
   * @param firstOfTop supplies the first existing key of the top half, if it is needed
   */
  public HalfFileScanner(
      HFileScanner whole, boolean top, Cell split, Supplier<Optional<Cell>> firstOfTop) {
    this.whole = whole;
    this.top = top;
    this.split = split;
    this.firstOfTop = firstOfTop;
    this.comparator = whole.getReader().getComparator();
  }

  @Override
  public boolean next() throws IOException {
    if (atEnd) {
      return false;
    }
    compared = null;
    if (!whole.next()) {
      return false;
    }
    if (top) {
      return true;
    }
    Cell cell = whole.getCell();
    if (isInTop(cell)) {
      atEnd = true;
      return false;
    }
    compared = cell;
    return true;
  }

  @Override
  public boolean seekTo() throws IOException {
    compared = null;
    return top ? seekToFirstOfTop() : whole.seekTo() && !isInTop(whole.getKey());
  }

  private boolean seekToFirstOfTop() throws IOException {
    int found = whole.seekTo(split);
    if (found == HConstants.INDEX_KEY_MAGIC || found == 0) {
      return true;
    }
    return found < 0 ? whole.seekTo() : whole.next();
  }

  @Override
  public int seekTo(Cell key) throws IOException {
    compared = null;
    if (top) {
      return isInTop(key) ? whole.seekTo(key) : -1;
    }
    return isInTop(key) ? seekToLastOfBottom() : whole.seekTo(key);
  }

  @Override
  public int reseekTo(Cell key) throws IOException {
    compared = null;
    if (top && !isInTop(key)) {
      return -1;
    }
    if (!top && isInTop(key)) {
      return seekToLastOfBottom();
    }
    return atEnd ? 1 : whole.reseekTo(key);
  }

  private int seekToLastOfBottom() throws IOException {
    if (!whole.seekBefore(split)) {
      throw new IOException(
          "There is no cell before the split key "
              + split
              + " in "
              + whole.getReader().getName()
              + ", whose bottom half this is");
    }
    return 1;
  }

  @Override
  public boolean seekBefore(Cell key) throws IOException {
    compared = null;
    if (top && isNotAfterFirst(key)) {
      return false;
    }
    boolean found = whole.seekBefore(!top && isInTop(key) ? split : key);
    if (found) {
      atEnd = false;
    }
    return found;
  }

  private boolean isInTop(Cell key) {
    return PrivateCellUtil.compareKeyIgnoresMvcc(comparator, key, split) >= 0;
  }

  private boolean isNotAfterFirst(Cell key) {
    Optional<Cell> first = firstOfTop.get();
    return first.isPresent()
        && PrivateCellUtil.compareKeyIgnoresMvcc(comparator, key, first.get()) <= 0;
  }

  @Override
  public Cell getCell() {
    if (atEnd) {
      return null;
    }
    return compared == null ? whole.getCell() : compared;
  }

  @Override
  public Cell getKey() {
    return atEnd ? null : whole.getKey();
  }

  @Override
  public ByteBuffer getValue() {
    return atEnd ? null : whole.getValue();
  }

  @Override
  public String getKeyString() {
    return atEnd ? null : whole.getKeyString();
  }

  @Override
  public String getValueString() {
    return atEnd ? null : whole.getValueString();
  }

  /** Returns no key, because the next block may be outside of the half. */
  @Override
  public Cell getNextIndexedKey() {
    return null;
  }

  @Override
  public HFile.Reader getReader() {
    return whole.getReader();
  }

  @Override
  public boolean isSeeked() {
    return whole.isSeeked();
  }

  @Override
  public void shipped() throws IOException {
    whole.shipped();
  }

  @Override
  public void recordBlockSize(IntConsumer consumer) {
    whole.recordBlockSize(consumer);
  }

  @Override
  public void close() {
    compared = null;
    whole.close();
  }
}
