package org.fastpath.tiered.regionserver;

/**
 * Histories of store files by their inodes, in at most 32 bytes a file. It is an open-addressed
 * table of longs.
 *
 * <pre>
 *   key    the inode, which is never 0
 *   value  | timestamp of the newest cell, 60 bits | writer of the file, 4 bits   |
 * </pre>
 *
 * <p>For one thread.
 */
final class HistoryTable {
  /** No value. */
  static final long NONE = 0;

  private static final int FIRST_SLOTS = 1 << 10;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private long[] table = new long[2 * FIRST_SLOTS];
  private int size;

  int size() {
    return size;
  }

  /** Returns the value of a file; {@link #NONE} if there is none. */
  long get(long inode) {
    return table[2 * slot(table, inode) + 1];
  }

  /** Stores a value. */
  void put(long inode, long value) {
    int slot = slot(table, inode);
    if (table[2 * slot] == 0) {
      size++;
    }
    table[2 * slot] = inode;
    table[2 * slot + 1] = value;
    if (4 * size > table.length) {
      grow();
    }
  }

  private void grow() {
    long[] larger = new long[2 * table.length];
    for (int i = 0; i < table.length; i += 2) {
      if (table[i] != 0) {
        int slot = slot(larger, table[i]);
        larger[2 * slot] = table[i];
        larger[2 * slot + 1] = table[i + 1];
      }
    }
    table = larger;
  }

  /** Returns the slot of an inode, or the free slot for it. */
  private static int slot(long[] table, long inode) {
    int mask = table.length / 2 - 1;
    int slot = (int) (inode * GOLDEN >>> 32) & mask;
    while (table[2 * slot] != 0 && table[2 * slot] != inode) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
