package org.fastpath.offheap.reader;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.fastpath.offheap.memory.Memory;

/**
 * Eight bytes of each of a file's sorted rows, adjacent in memory, as in a {@link BlockIndex}. They
 * follow the prefix that all rows share. Immutable.
 */
final class RowPrefixes {
  private final Memory start;
  private final int startLength;
  private final long[] prefixes;
  private final Memory memory;

  /**
   * Copies the bytes.
   *
   * @param count at least 1
   */
  RowPrefixes(int count, IntFunction<byte[]> rows) {
    byte[] first = rows.apply(0);
    int shared = Arrays.mismatch(first, rows.apply(count - 1));
    startLength = shared < 0 ? first.length : shared;
    start = Memory.of(Arrays.copyOf(first, startLength));
    prefixes = new long[count];
    memory = Memory.of(prefixes);
    for (int i = 0; i < count; i++) {
      byte[] row = rows.apply(i);
      prefixes[i] = Memory.of(row).prefix(startLength, row.length - startLength);
    }
  }

  int count() {
    return prefixes.length;
  }

  /** Compares a key's row with the prefix that all rows share. */
  int compareStart(SearchKey key) {
    return key.compareStart(start, 0, startLength);
  }

  /** Returns the bytes of a key's row that are compared if {@link #compareStart} is 0. */
  long prefix(SearchKey key) {
    return key.prefix(startLength);
  }

  /** Returns how many rows have smaller bytes. */
  int less(long prefix) {
    return memory.countLess(0, prefixes.length, prefix);
  }

  /** Returns how many rows from a position on have equal bytes. */
  int equal(int from, long prefix) {
    if (from == prefixes.length || prefixes[from] != prefix) {
      return 0;
    }
    return (prefix == -1 ? prefixes.length : less(prefix + 1)) - from;
  }
}
