package org.fastpath.offheap.reader;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.fastpath.offheap.memory.Memory;

/**
 * A position in a block without encoding. A seek starts at the nearest cell that has an entry in
 * the block's {@link BlockIndex}.
 */
public final class PlainBlockCursor extends FlatBlockCursor {
  private final IndexSearch search;

  public PlainBlockCursor(Path path, CellFormat format, CellComparator comparator) {
    super(path, format, comparator);
    search = new IndexSearch(format.code(), this::compareAt);
  }

  @Override
  protected void opened(Memory indexes, int index) {
    if (bytewise && indexes != null) {
      search.open(indexes, index);
    } else {
      search.openNone();
    }
    rewind();
  }

  @Override
  public int seek(Cell key, boolean before) {
    searched().set(key);
    if (search.isOpen()) {
      int nearest = search.lastLess(key, searched(), memory, PlainCell.row(address));
      int next = search.nextPlace();
      if (nearest >= position && next > nearest) {
        return between(nearest, next, before);
      }
      decode(Math.max(position, nearest));
    }
    return walk(key, before);
  }

  /** Ends a seek between two adjacent cells. The first is less than the key, the second is not. */
  private int between(int less, int next, boolean before) {
    if (search.isNextEqual() && !before) {
      decode(next);
      return 0;
    }
    standBefore(less, next);
    return 1;
  }

  @Override
  protected int lessThanStart() {
    return position == 0 ? HConstants.INDEX_KEY_MAGIC : 1;
  }
}
