package org.fastpath.offheap.reader;

import org.apache.hadoop.hbase.Cell;
import org.fastpath.offheap.memory.Memory;

/** Searches the {@link BlockIndex} of a cursor's block. Not thread-safe. */
final class IndexSearch {
  /** Compares a key with the cell of an entry. */
  @FunctionalInterface
  interface EntryComparison {
    int compare(Cell key, int place);
  }

  private static final long NONE = -1;

  private final int format;
  private final EntryComparison comparison;

  private Memory memory;

  /** The position of the index, if a usable one exists. */
  private long index = NONE;

  private int count;
  private int shared;
  private boolean eachCell;

  /** The number of entries that are less than the key of the last search. */
  private int less;

  /** Whether the first entry that is not less equals the key. */
  private boolean equal;

  /**
   * Searches indexes of one format.
   *
   * @param format the required format of an index
   */
  IndexSearch(int format, EntryComparison comparison) {
    this.format = format;
    this.comparison = comparison;
  }

  void openNone() {
    index = NONE;
  }

  /** Opens the index at an address if it has the right format. */
  void open(Memory memory, long address) {
    this.memory = memory;
    int made = BlockIndex.format(memory, address);
    eachCell = (made & BlockIndex.EACH_CELL) != 0;
    index = (made & ~BlockIndex.EACH_CELL) == format ? address : NONE;
    count = BlockIndex.count(memory, address);
    shared = BlockIndex.shared(memory, address);
  }

  boolean isOpen() {
    return index != NONE;
  }

  /**
   * Finds the last entry whose cell is less than a key.
   *
   * @param searched the key's row
   * @param rowMemory the memory of any row of the block
   * @param row the row's position in it
   * @return the position of the entry's cell, or -1
   */
  int lastLess(Cell key, SearchKey searched, Memory rowMemory, long row) {
    equal = false;
    int order =
        BlockIndex.hasStart(shared)
            ? searched.compareStart(memory, BlockIndex.start(index), shared)
            : searched.compareStart(rowMemory, row, shared);
    less = less(key, searched, order);
    return less == 0 ? -1 : BlockIndex.place(memory, index, count, less - 1);
  }

  /**
   * Returns the cell behind the one that {@link #lastLess} found, if the index knows its position.
   * It is the first cell that is not less than the key.
   *
   * @return its position, or -1
   */
  int nextPlace() {
    return eachCell && less < count ? BlockIndex.place(memory, index, count, less) : -1;
  }

  /** Returns whether the cell at {@link #nextPlace} equals the key. */
  boolean isNextEqual() {
    return equal;
  }

  /**
   * Returns how many entries are less than the key. {@code order} compares the key with the prefix
   * that all rows share.
   */
  private int less(Cell key, SearchKey searched, int order) {
    if (order != 0) {
      return order > 0 ? count : 0;
    }
    long prefix = searched.prefix(shared);
    int less = BlockIndex.less(memory, index, count, prefix);
    return less < count && BlockIndex.prefix(memory, index, less) == prefix
        ? lessAmongEqual(key, less, prefix)
        : less;
  }

  /**
   * Returns how many entries are less, where the entries from {@code low} on have the same bytes of
   * row.
   */
  private int lessAmongEqual(Cell key, int low, long prefix) {
    int from = low;
    int left = prefix == -1 ? count - low : BlockIndex.less(memory, index, count, prefix + 1) - low;
    while (left > 0) {
      int half = left >>> 1;
      int order = comparison.compare(key, BlockIndex.place(memory, index, count, from + half));
      if (order > 0) {
        from += half + 1;
        left -= half + 1;
      } else {
        equal = order == 0;
        left = half;
      }
    }
    return from;
  }
}
