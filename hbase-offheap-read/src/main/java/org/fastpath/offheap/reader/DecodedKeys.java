package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;

/**
 * Stores the keys of decoded cells, one behind the other, in arrays that the cells share. A key
 * needs an array and, for comparisons by buffer, a buffer around it. These take 72 bytes beside
 * about 50 bytes of the key. The first array has room for one key, which is enough for a scanner of
 * one row. Each following array is twice as long, up to 2 KB. So a cell that stays in use retains
 * at most 2 KB.
 *
 * <p>Written bytes never change. One thread adds keys; any thread may read the cells.
 */
final class DecodedKeys {
  /**
   * The longest shared array in bytes. A longer array holds one key only, so each key begins before
   * this position.
   */
  static final int LONGEST = 2048;

  private ByteBuffer keys = ByteBuffer.allocate(0);
  private int end;

  /** Copies a key to {@link #buffer} and returns its position. */
  int add(byte[] key, int length) {
    if (length > keys.capacity() - end) {
      keys = ByteBuffer.allocate(Math.max(length, Math.min(LONGEST, 2 * keys.capacity())));
      end = 0;
    }
    int start = end;
    System.arraycopy(key, 0, keys.array(), start, length);
    end += length;
    return start;
  }

  /** Returns the buffer of the key that was added last. Its position and limit have no meaning. */
  ByteBuffer buffer() {
    return keys;
  }
}
