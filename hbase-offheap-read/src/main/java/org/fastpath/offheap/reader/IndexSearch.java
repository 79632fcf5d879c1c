package org.fastpath.offheap.reader;

import org.apache.hadoop.hbase.Cell;

/** Searches the {@link BlockIndex} of the block that a cursor is in. For one thread. */
final class IndexSearch {
  /** Compares a key with the cell that an entry is of. */
  @FunctionalInterface
  interface EntryComparison {
    int compare(Cell key, int place);
  }

  private final int format;
  private final EntryComparison comparison;

  private Object base;

  /** 0 if there is none that can be used. */
  private long index;

  private int count;
  private int shared;

  /**
   * @param format that the index has to have
   */
  IndexSearch(int format, EntryComparison comparison) {
    this.format = format;
    this.comparison = comparison;
  }

  void openNone() {
    index = 0;
  }

  /** Takes the index at an address, if it is of the right format. */
  void open(Object base, long address) {
    this.base = base;
    index = BlockIndex.format(base, address) == format ? address : 0;
    count = BlockIndex.count(base, address);
    shared = BlockIndex.shared(base, address);
  }

  boolean isOpen() {
    return index != 0;
  }

  /**
   * The last entry whose cell is less than a key.
   *
   * @param searched the key's row
   * @param rowBase of a row of the block
   * @param row its address
   * @return the entry's place, or -1
   */
  int lastLess(Cell key, SearchKey searched, Object rowBase, long row) {
    int less = less(key, searched, searched.compareStart(rowBase, row, shared));
    return less == 0 ? -1 : BlockIndex.place(base, index, count, less - 1);
  }

  /** How many entries are less than the key, which compares so with what all rows begin with. */
  private int less(Cell key, SearchKey searched, int order) {
    if (order != 0) {
      return order > 0 ? count : 0;
    }
    long prefix = searched.prefix(shared);
    int less = BlockIndex.less(base, index, count, prefix);
    return less < count && BlockIndex.prefix(base, index, less) == prefix
        ? lessAmongEqual(key, less, prefix)
        : less;
  }

  /** How many entries are less, where those from {@code low} on have the same bytes of row. */
  private int lessAmongEqual(Cell key, int low, long prefix) {
    int from = low;
    int left = prefix == -1 ? count - low : BlockIndex.less(base, index, count, prefix + 1) - low;
    while (left > 0) {
      int half = left >>> 1;
      if (comparison.compare(key, BlockIndex.place(base, index, count, from + half)) > 0) {
        from += half + 1;
        left -= half + 1;
      } else {
        left = half;
      }
    }
    return from;
  }
}
