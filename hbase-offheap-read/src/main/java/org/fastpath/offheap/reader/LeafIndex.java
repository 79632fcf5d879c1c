package org.fastpath.offheap.reader;

import org.apache.hadoop.hbase.nio.ByteBuff;

/**
 * The entries of a leaf block of a file's index: it finds the data block that can contain a key.
 * HBase's binary search reads about a dozen keys in the leaf, each in another line of the
 * processor's cache.
 *
 * <p>A leaf has this layout, in big-endian byte order:
 *
 * <pre>
 *  | entries n 4 | place of entry 4, n + 1 times | offset of block 8, its size 4, key | ...
 *  key: | row length 2 | row | rest
 * </pre>
 *
 * <p>Takes 16 bytes of heap for each entry. Immutable.
 */
public final class LeafIndex {
  /** The result if HBase must search itself. */
  public static final int UNKNOWN = -1;

  private static final int ENTRY = Long.BYTES + Integer.BYTES;

  private final long leaf;
  private final long leafBytes;
  private final RowPrefixes rows;
  private final long[] offsets;

  /**
   * Copies a leaf.
   *
   * @param leaf its offset in the file
   * @param leafBytes its size there
   * @param contents of at least one entry, without the block's header
   */
  public LeafIndex(long leaf, long leafBytes, ByteBuff contents) {
    this.leaf = leaf;
    this.leafBytes = leafBytes;
    int count = count(contents);
    offsets = new long[count];
    for (int i = 0; i < count; i++) {
      offsets[i] = contents.getLongAfterPosition(place(contents, i));
    }
    rows = new RowPrefixes(count, i -> row(contents, i));
  }

  static int count(ByteBuff contents) {
    return contents.getIntAfterPosition(0);
  }

  private static int place(ByteBuff contents, int entry) {
    int count = count(contents);
    return Integer.BYTES * (count + 2) + contents.getIntAfterPosition(Integer.BYTES * (entry + 1));
  }

  private static byte[] row(ByteBuff contents, int entry) {
    int key = contents.position() + place(contents, entry) + ENTRY;
    byte[] row = new byte[contents.getShort(key)];
    contents.get(key + Short.BYTES, row, 0, row.length);
    return row;
  }

  /** Returns the bytes of heap for a number of entries. */
  static long bytes(int entries) {
    return 2L * Long.BYTES * entries;
  }

  long bytes() {
    return bytes(offsets.length);
  }

  /** Returns the offset of the leaf in the file. */
  public long leaf() {
    return leaf;
  }

  /** Returns the size of the leaf in the file. */
  public long leafBytes() {
    return leafBytes;
  }

  /** Returns the offset of a data block. */
  public long offset(int entry) {
    return offsets[entry];
  }

  /**
   * Finds the entry of the block that can contain a key.
   *
   * @return {@link #UNKNOWN} if bytes of rows do not decide it
   */
  public int find(SearchKey key) {
    int order = rows.compareStart(key);
    if (order != 0) {
      return order < 0 ? UNKNOWN : rows.count() - 1;
    }
    long prefix = rows.prefix(key);
    int less = rows.less(prefix);
    return rows.equal(less, prefix) > 0 ? UNKNOWN : less - 1;
  }
}
