package org.fastpath.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Up to {@link #WIDTH} sums of a pseudo-source. A server has thousands of these. Each sum has as
 * many cells as processors, at most four, and uses atomic additions.
 *
 * <p>A stripe is 128 bytes, so that two stripes share at most one cache line. Memory: stripes × 128
 * bytes for 16 sums.
 */
final class CompactLongs {
  /** The number of sums in one object. */
  static final int WIDTH = 16;

  private static final int MAX_STRIPES = 4;
  private static final int STRIPES =
      ThreadSlots.powerOfTwo(Runtime.getRuntime().availableProcessors(), 1, MAX_STRIPES);
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] cells = new long[STRIPES * WIDTH];

  /** Returns one of the sums. */
  Counter counter(int number) {
    return new Cells(cells, number);
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
      CELL.getAndAdd(cells, first + ThreadSlots.stripe(STRIPES) * WIDTH, n);
    }

    @Override
    public long sum() {
      long sum = 0;
      for (int stripe = 0; stripe < STRIPES; stripe++) {
        sum += (long) CELL.getAcquire(cells, first + stripe * WIDTH);
      }
      return sum;
    }
  }
}
