package org.fastpath.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Up to {@link #WIDTH} sums, each with a cell per {@link ThreadSlots slot} and a few shared cells.
 *
 * <pre>
 *            |&lt;------------ 128 bytes ------------&gt;|
 * padding    | 16 longs, never written         |
 * slot 0     | sum 0 | sum 1 | ... | sum 7 |  8 longs, never written |   plain stores of its owner
 * ...
 * slot n - 1 | ...
 * shared 0   | ...                                                          atomic additions
 * ...
 * shared 7   | ...
 * padding    | ...
 * </pre>
 *
 * <p>Cells of two threads are at least 64 bytes apart wherever the array begins, so they never
 * share a cache line. The sums of one source are adjacent: an operation that updates several of
 * them touches one or two lines. Memory: (slots + 8 + 2) × 128 bytes for 8 sums, 9.5 KB up to 16
 * processors and 34 KB from 64.
 *
 * <p>{@link java.util.concurrent.atomic.LongAdder} adds by compare-and-set. Here a thread that owns
 * its slot loads and stores. A reader may miss additions in progress, but never those that happened
 * before it. A sum never decreases.
 */
final class StripedLongs {
  /** The number of sums in one object. */
  static final int WIDTH = 8;

  private static final int STRIDE = 16;
  private static final int SHARED = 8;
  private static final int STRIPES = ThreadSlots.COUNT + SHARED;
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] cells = new long[(1 + STRIPES + 1) * STRIDE];

  /** Returns one of the sums. */
  Counter counter(int number) {
    return new Cells(cells, STRIDE + number);
  }

  private static final class Cells implements Counter {
    private final long[] cells;
    private final int first;

    Cells(long[] cells, int first) {
      this.cells = cells;
      this.first = first;
    }

    @Override
    public void add(long n) {
      int slot = ThreadSlots.current();
      if (slot >= 0) {
        int cell = first + slot * STRIDE;
        CELL.setOpaque(cells, cell, (long) CELL.getOpaque(cells, cell) + n);
      } else {
        int stripe = ThreadSlots.COUNT + ThreadSlots.stripe(SHARED);
        CELL.getAndAdd(cells, first + stripe * STRIDE, n);
      }
    }

    @Override
    public long sum() {
      long sum = 0;
      for (int stripe = 0; stripe < STRIPES; stripe++) {
        sum += (long) CELL.getAcquire(cells, first + stripe * STRIDE);
      }
      return sum;
    }
  }
}
