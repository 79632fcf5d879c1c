package org.fastpath.offheap.reader;

import org.apache.hadoop.hbase.Cell;
import org.fastpath.offheap.memory.Memory;

/** Searches the {@link BlockIndex} of the block that a cursor is in. For one thread. */
final class IndexSearch {
  /** Compares a key with the cell that an entry is of. */
  @FunctionalInterface
  interface EntryComparison {
    int compare(Cell key, int place);
  }

  private static final long NONE = -1;

  private final int format;
  private final EntryComparison comparison;

  private Memory memory;

  /** Where the index begins, if there is one that can be used. */
  private long index = NONE;

  private int count;
  private int shared;
  private boolean eachCell;

  /** How many entries are less than the key that was sought last. */
  private int less;

  /** Whether the first one that is not is the key. */
  private boolean equal;

  /**
   * @param format that the index has to have
   */
  IndexSearch(int format, EntryComparison comparison) {
    this.format = format;
    this.comparison = comparison;
  }

  void openNone() {
    index = NONE;
  }

  /** Takes the index at an address, if it is of the right format. */
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
   * The last entry whose cell is less than a key.
   *
   * @param searched the key's row
   * @param rowMemory of a row of the block
   * @param row where it is in that
   * @return the entry's place, or -1
   */
  int lastLess(Cell key, SearchKey searched, Memory rowMemory, long row) {
    equal = false;
    less = less(key, searched, searched.compareStart(rowMemory, row, shared));
    return less == 0 ? -1 : BlockIndex.place(memory, index, count, less - 1);
  }

  /**
   * The cell behind the one that {@link #lastLess} found, if it is known without a look at that
   * one: it is the first that is not less than the key.
   *
   * @return its place, or -1
   */
  int nextPlace() {
    return eachCell && less < count ? BlockIndex.place(memory, index, count, less) : -1;
  }

  /** Whether the cell at {@link #nextPlace} is the key. */
  boolean isNextEqual() {
    return equal;
  }

  /** How many entries are less than the key, which compares so with what all rows begin with. */
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

  /** How many entries are less, where those from {@code low} on have the same bytes of row. */
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
