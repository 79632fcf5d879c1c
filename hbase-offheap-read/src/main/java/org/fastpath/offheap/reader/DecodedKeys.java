package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;

/**
 * The keys of decoded cells, one behind the other in arrays that cells share. A key needs an array,
 * and a buffer around it for who compares cells by their buffers: 72 bytes beside some 50 of the
 * key. The first array has room for one key, as for a scanner that is opened for one row; those
 * that follow are each twice as long, up to 2 KB, which is what a cell that is kept can hold back.
 *
 * <p>What was written is never written again. For one thread; the cells are for any.
 */
final class DecodedKeys {
  /** Longer arrays are for one key, so that every key begins before this. */
  static final int LONGEST = 2048;

  private ByteBuffer keys = ByteBuffer.allocate(0);
  private int end;

  /** Copies a key to {@link #buffer}; returns where it begins. */
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

  /** What the key that was added last is in; its position and limit mean nothing. */
  ByteBuffer buffer() {
    return keys;
  }
}
