package org.fastpath.bench.hdfs;

import java.nio.ByteBuffer;

/**
 * Counts bytes by value, eight at a time. Neighbours go to different tables: an increment that
 * follows another one of the same counter waits until that one's store is done. Not thread-safe.
 */
final class ByteHistogram {
  static final int VALUES = 256;

  private static final int MASK = VALUES - 1;

  private final long[] even = new long[VALUES];
  private final long[] odd = new long[VALUES];

  /** Counts what lies between position and limit. */
  void add(ByteBuffer bytes) {
    int i = bytes.position();
    for (; i <= bytes.limit() - Long.BYTES; i += Long.BYTES) {
      long eight = bytes.getLong(i);
      even[(int) eight & MASK]++;
      odd[(int) (eight >>> 8) & MASK]++;
      even[(int) (eight >>> 16) & MASK]++;
      odd[(int) (eight >>> 24) & MASK]++;
      even[(int) (eight >>> 32) & MASK]++;
      odd[(int) (eight >>> 40) & MASK]++;
      even[(int) (eight >>> 48) & MASK]++;
      odd[(int) (eight >>> 56) & MASK]++;
    }
    for (; i < bytes.limit(); i++) {
      even[bytes.get(i) & MASK]++;
    }
  }

  /** How often that value occurred, from 0 to 255. */
  long count(int value) {
    return even[value] + odd[value];
  }
}
