package org.fastpath.offheap.reader;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;

/**
 * The root of a file's index: it finds the data block, or the leaf of an index with two levels,
 * that can contain a key. HBase keeps the first keys of the blocks as objects. Its binary search
 * reads about a dozen of them, each elsewhere in the heap. Here eight bytes of each key's row are
 * adjacent, as in a {@link BlockIndex}. Keys are compared only if these bytes are equal.
 *
 * <p>HBase does not expose the offsets of the blocks. So the offset of a data block is learned when
 * HBase's code reads the block for the first time.
 *
 * <p>Takes 16 bytes of heap for each entry. Thread-safe.
 */
public final class RootIndex {
  /** The result if HBase must search itself. */
  public static final int UNKNOWN = -1;

  private static final long NOT_LEARNED = -1;

  private final CellComparator comparator;
  private final IntFunction<Cell> keys;
  private final RowPrefixes rows;
  private final AtomicLongArray offsets;

  private RootIndex(CellComparator comparator, int count, IntFunction<Cell> keys) {
    this.comparator = comparator;
    this.keys = keys;
    rows = new RowPrefixes(count, this::row);
    offsets = new AtomicLongArray(count);
    for (int i = 0; i < count; i++) {
      offsets.set(i, NOT_LEARNED);
    }
  }

  private byte[] row(int block) {
    Cell key = keys.apply(block);
    return Arrays.copyOfRange(
        key.getRowArray(), key.getRowOffset(), key.getRowOffset() + key.getRowLength());
  }

  /**
   * Creates the index of a file with the given number of blocks.
   *
   * @param keys the blocks' first keys, or keys between them and the previous blocks, on the heap
   * @return null if rows are not ordered by their bytes, or if there are no blocks
   */
  public static RootIndex of(CellComparator comparator, int count, IntFunction<Cell> keys) {
    return count > 0 && SearchKey.comparesRowsAsBytes(comparator)
        ? new RootIndex(comparator, count, keys)
        : null;
  }

  /**
   * Finds the block that can contain a key.
   *
   * @param searched set to the key
   * @return its number; {@link #UNKNOWN} if no block can contain the key, or if the previous block
   *     may contain it too because a block's first key equals it
   */
  public int find(Cell key, SearchKey searched) {
    int order = rows.compareStart(searched);
    if (order != 0) {
      return order < 0 ? UNKNOWN : rows.count() - 1;
    }
    long prefix = rows.prefix(searched);
    int low = rows.less(prefix);
    for (int left = rows.equal(low, prefix); left > 0; ) {
      int half = left >>> 1;
      int comparison =
          PrivateCellUtil.compareKeyIgnoresMvcc(comparator, key, keys.apply(low + half));
      if (comparison == 0) {
        return UNKNOWN;
      }
      low = comparison > 0 ? low + half + 1 : low;
      left = comparison > 0 ? left - half - 1 : half;
    }
    return low - 1;
  }

  /** Returns the offset of a block in the file, or -1 if it was not read yet. */
  public long offset(int block) {
    return offsets.get(block);
  }

  public void learn(int block, long offset) {
    offsets.lazySet(block, offset);
  }

  /** Returns the result of {@code getNextIndexedKey} for a scanner inside a block. */
  public Cell nextKey(int block) {
    return block + 1 < rows.count() ? keys.apply(block + 1) : KeyValueScanner.NO_NEXT_INDEXED_KEY;
  }
}
