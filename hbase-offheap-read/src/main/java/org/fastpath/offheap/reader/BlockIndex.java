package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;
import org.fastpath.offheap.memory.Memory;

/**
 * The index of a block: a sample of its cells in order. With it a seek decodes a few cells instead
 * of half of the block.
 *
 * <p>Every n-th cell has an entry with its position and eight bytes of its row. The rows of a block
 * are sorted, so they share a prefix. The eight bytes are those that follow the common prefix of
 * the first and the last row. A search compares adjacent numbers. It reads the block itself only if
 * numbers are equal. That happens in rows of many columns and in rows that differ later. The step
 * <i>n</i> is the smallest one for which the index has at most 1/{@link #SHARE} of the block's
 * bytes (2.9 %). With values of 100 bytes, about every third cell has an entry. From 400 bytes on,
 * every cell has one.
 *
 * <p>The index lies behind the block in the same memory, or in memory of its own, at a multiple of
 * eight bytes. It has the block's lifetime. It is in the machine's byte order:
 *
 * <pre>
 *  offset
 *    0  +-----------------------------+
 *       | n, number of entries        |
 *    4  +-----------------------------+
 *       | format, bytes rows share    |
 *    8  +-----------------------------+
 *       | the first of these bytes    |  so that a search need not read the first row
 *   32  +-----------------------------+
 *       | bytes of row, entry 0       |  as a number that sorts, unsigned, as the bytes do
 *   40  | bytes of row, entry 1       |
 *       | ...                         |
 * 32+8n +-----------------------------+
 *       | place of cell, entry 0      |  its first byte in the contents, without header
 *       | place of cell, entry 1      |
 *       | ...                         |
 * 32+12n+-----------------------------+
 * </pre>
 *
 * <p>The upper 16 bits of the format are the cells' format when the index was built (see {@link
 * CellFormat#code}). A reader ignores an index with another format than its own. The highest bit
 * means that n is 1. Then the next entry gives the end of a cell, so a search for the next cell
 * need not decode it. The index of an encoded block is a {@link RestartIndex}.
 *
 * <p>The design combines the key prefixes of [1] and [2] with the restart points of LevelDB's
 * blocks.
 *
 * <ol>
 *   <li>Graefe, Larson: B-tree indexes and CPU caches, ICDE 2001 (poor man's normalized keys).
 *   <li>Nyberg, Barclay, Cvetanovic, Gray, Lomet: AlphaSort, a RISC machine sort, SIGMOD 1994.
 * </ol>
 */
final class BlockIndex {
  /** The maximum size of an index is its header and its block's bytes divided by this number. */
  static final int SHARE = 34;

  static final int HEADER = 32;
  static final int ENTRY = Long.BYTES + Integer.BYTES;

  /** A bit of the format: each cell has an entry. */
  static final int EACH_CELL = 1 << 15;

  private static final int COUNT = 0;
  private static final int FORMAT_AND_SHARED = 4;
  private static final int START = 8;

  /** The most bytes of the shared prefix that the header has. */
  private static final int MOST_START = HEADER - START;

  private BlockIndex() {}

  /** Returns the bytes of an index with the given number of entries. */
  static int bytes(int entries) {
    return HEADER + entries * ENTRY;
  }

  static int count(Memory memory, long index) {
    return memory.getInt(index + COUNT);
  }

  /** Returns the length of the prefix that all rows share. */
  static int shared(Memory memory, long index) {
    return memory.getInt(index + FORMAT_AND_SHARED) & 0xffff;
  }

  /**
   * Returns the {@link CellFormat#code} of the builder, optionally with {@link #EACH_CELL}, or
   * {@link RestartIndex#format}.
   */
  static int format(Memory memory, long index) {
    return memory.getInt(index + FORMAT_AND_SHARED) >>> Short.SIZE;
  }

  /** Returns whether the header has the whole prefix that all rows share. */
  static boolean hasStart(int shared) {
    return shared <= MOST_START;
  }

  /** Returns the address of the shared prefix if {@link #hasStart}. */
  static long start(long index) {
    return index + START;
  }

  /**
   * Writes the header.
   *
   * @param rows the memory of a row of the block
   * @param row the row's position in it
   */
  static void putHeader(
      ByteBuffer index, int count, int format, int shared, Memory rows, long row) {
    index.putInt(count).putInt(format << Short.SIZE | shared);
    for (int i = 0; i < MOST_START; i++) {
      index.put(i < shared ? rows.getByte(row + i) : 0);
    }
  }

  static long prefix(Memory memory, long index, int entry) {
    return memory.getLong(index + HEADER + (long) Long.BYTES * entry);
  }

  /**
   * Returns the position of the entry's cell in the contents; {@code count} is that of the index.
   */
  static int place(Memory memory, long index, int count, int entry) {
    return memory.getInt(index + HEADER + (long) Long.BYTES * count + (long) Integer.BYTES * entry);
  }

  /** Returns how many of the first {@code count} entries have a smaller prefix. */
  static int less(Memory memory, long index, int count, long prefix) {
    return memory.countLess(index + HEADER, count, prefix);
  }
}
