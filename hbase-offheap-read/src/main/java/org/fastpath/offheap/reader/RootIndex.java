package org.fastpath.offheap.reader;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.fastpath.offheap.memory.Memory;

/**
 * The index of a file whose index is one block: which data block a key can be in. HBase has the
 * first keys of the blocks as objects, and a binary search looks at a dozen of them, each of which
 * is somewhere else in the heap. Here eight bytes of each key's row lie side by side, as in a
 * {@link BlockIndex}, and keys are compared only where these are equal.
 *
 * <p>HBase does not tell at which offsets the blocks are; so an offset is learned when the block is
 * read in HBase's way for the first time.
 *
 * <p>Takes 16 bytes of heap for each block of the file. Safe from any thread.
 */
public final class RootIndex {
  /** HBase has to look itself. */
  public static final int UNKNOWN = -1;

  private static final long NOT_LEARNED = -1;

  private final CellComparator comparator;
  private final IntFunction<Cell> keys;
  private final Memory start;
  private final int startLength;
  private final long[] prefixes;
  private final Memory prefixMemory;
  private final AtomicLongArray offsets;

  private RootIndex(CellComparator comparator, int count, IntFunction<Cell> keys) {
    this.comparator = comparator;
    this.keys = keys;
    prefixes = new long[count];
    offsets = new AtomicLongArray(count);
    byte[] first = row(0);
    byte[] last = row(count - 1);
    int shared = Arrays.mismatch(first, last);
    startLength = shared < 0 ? first.length : shared;
    start = Memory.of(Arrays.copyOf(first, startLength));
    prefixMemory = Memory.of(prefixes);
    for (int i = 0; i < count; i++) {
      byte[] row = row(i);
      prefixes[i] = Memory.of(row).prefix(startLength, row.length - startLength);
      offsets.set(i, NOT_LEARNED);
    }
  }

  private byte[] row(int block) {
    Cell key = keys.apply(block);
    return Arrays.copyOfRange(
        key.getRowArray(), key.getRowOffset(), key.getRowOffset() + key.getRowLength());
  }

  /**
   * Of a file with so many blocks.
   *
   * @param keys the first keys of the blocks, or keys between them and the blocks before, on the
   *     heap
   * @return null if rows are not ordered by their bytes, or if there are no blocks
   */
  public static RootIndex of(CellComparator comparator, int count, IntFunction<Cell> keys) {
    return count > 0 && SearchKey.comparesRowsAsBytes(comparator)
        ? new RootIndex(comparator, count, keys)
        : null;
  }

  /**
   * The block that a key can be in.
   *
   * @param searched set to the key
   * @return its number, or {@link #UNKNOWN} if there is none, or if its first key is this one: then
   *     the block before may have the key, too
   */
  public int find(Cell key, SearchKey searched) {
    int order = searched.compareStart(start, 0, startLength);
    if (order != 0) {
      return order < 0 ? UNKNOWN : prefixes.length - 1;
    }
    long prefix = searched.prefix(startLength);
    int low = less(prefix);
    for (int left = equal(low, prefix); left > 0; ) {
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

  /** How many prefixes are less. */
  private int less(long prefix) {
    return prefixMemory.countLess(0, prefixes.length, prefix);
  }

  /** How many prefixes from one on are this. */
  private int equal(int from, long prefix) {
    if (from == prefixes.length || prefixes[from] != prefix) {
      return 0;
    }
    return (prefix == -1 ? prefixes.length : less(prefix + 1)) - from;
  }

  /** Where a block is in the file, or -1 if nobody has read it yet. */
  public long offset(int block) {
    return offsets.get(block);
  }

  public void learn(int block, long offset) {
    offsets.lazySet(block, offset);
  }

  /** What {@code getNextIndexedKey} is while a scanner is in a block. */
  public Cell nextKey(int block) {
    return block + 1 < prefixes.length
        ? keys.apply(block + 1)
        : KeyValueScanner.NO_NEXT_INDEXED_KEY;
  }
}
