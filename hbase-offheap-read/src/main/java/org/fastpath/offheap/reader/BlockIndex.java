package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;
import org.fastpath.offheap.memory.Memory;

/**
 * A block's index: some of its cells in order, so that a seek decodes a few cells instead of half
 * of the block.
 *
 * <p>Every n-th cell has an entry: where it is, and eight bytes of its row. All rows of a block
 * begin alike, since they are sorted, so the eight bytes are those behind what the first and the
 * last row have in common. A search compares numbers that lie side by side, and looks into the
 * block itself only where they are equal: in rows of many columns, and in rows that differ later.
 * <i>n</i> is the least with which the index has at most 1/{@link #SHARE} of the block's bytes (
 * 2.9 %): with values of 100 bytes every third cell or so has an entry, from 400 bytes on every
 * one.
 *
 * <p>It lies behind the block in the same memory, at a multiple of eight bytes, and comes and goes
 * with it. In the machine's byte order:
 *
 * <pre>
 *  offset
 *    0  +-----------------------------+
 *       | n, number of entries        |
 *    4  +-----------------------------+
 *       | format, bytes rows share    |
 *    8  +-----------------------------+
 *       | bytes of row, entry 0       |  as a number that sorts, unsigned, as the bytes do
 *   16  | bytes of row, entry 1       |
 *       | ...                         |
 *  8+8n +-----------------------------+
 *       | place of cell, entry 0      |  its first byte in the contents, without header
 *       | place of cell, entry 1      |
 *       | ...                         |
 * 8+12n +-----------------------------+
 * </pre>
 *
 * <p>The format is that of the cells as the index was made (see {@link CellFormat#code}) in the
 * upper 16 bits: an index that was made with another one than its reader's is not used. The highest
 * bit says that n is 1: then a cell ends where the next entry says, and need not be decoded to find
 * the one behind it. An encoded block's index is a {@link RestartIndex}.
 *
 * <p>The idea is that of the key prefixes of [1] and [2] with the restart points of LevelDB's
 * blocks.
 *
 * <ol>
 *   <li>Graefe, Larson: B-tree indexes and CPU caches, ICDE 2001 (poor man's normalized keys).
 *   <li>Nyberg, Barclay, Cvetanovic, Gray, Lomet: AlphaSort, a RISC machine sort, SIGMOD 1994.
 * </ol>
 */
final class BlockIndex {
  /** An index has at most this part of its block's bytes, and its header. */
  static final int SHARE = 34;

  static final int HEADER = 8;
  static final int ENTRY = Long.BYTES + Integer.BYTES;

  /** In a format: each cell has an entry. */
  static final int EACH_CELL = 1 << 15;

  private static final int COUNT = 0;
  private static final int FORMAT_AND_SHARED = 4;

  private BlockIndex() {}

  /** Bytes of an index of so many entries. */
  static int bytes(int entries) {
    return HEADER + entries * ENTRY;
  }

  static int count(Memory memory, long index) {
    return memory.getInt(index + COUNT);
  }

  /** How many bytes all rows begin with. */
  static int shared(Memory memory, long index) {
    return memory.getInt(index + FORMAT_AND_SHARED) & 0xffff;
  }

  /**
   * The {@link CellFormat#code} that it was made with, maybe with {@link #EACH_CELL}, or {@link
   * RestartIndex#format}.
   */
  static int format(Memory memory, long index) {
    return memory.getInt(index + FORMAT_AND_SHARED) >>> Short.SIZE;
  }

  static void putHeader(ByteBuffer index, int count, int format, int shared) {
    index.putInt(count).putInt(format << Short.SIZE | shared);
  }

  static long prefix(Memory memory, long index, int entry) {
    return memory.getLong(index + HEADER + (long) Long.BYTES * entry);
  }

  /** Where the entry's cell is in the contents; {@code count} is that of the index. */
  static int place(Memory memory, long index, int count, int entry) {
    return memory.getInt(index + HEADER + (long) Long.BYTES * count + (long) Integer.BYTES * entry);
  }

  /** How many of the first {@code count} entries have a prefix that is less. */
  static int less(Memory memory, long index, int count, long prefix) {
    return memory.countLess(index + HEADER, count, prefix);
  }
}
