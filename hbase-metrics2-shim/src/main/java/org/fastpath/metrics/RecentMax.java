package org.fastpath.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The greatest value of the current minute and the one before. Written rarely, so not striped. */
class RecentMax {
  private static final VarHandle CURRENT;

  static {
    try {
      CURRENT = MethodHandles.lookup().findVarHandle(RecentMax.class, "current", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile long current;
  private volatile long previous;

  final void offer(long value) {
    long seen = (long) CURRENT.getOpaque(this);
    while (value > seen) {
      long witness = (long) CURRENT.compareAndExchange(this, seen, value);
      if (witness == seen) {
        return;
      }
      seen = witness;
    }
  }

  final long max() {
    return Math.max(previous, current);
  }

  /** The current minute is over; with {@code minutes} &gt; 1 the one before had no values. */
  final void advance(int minutes) {
    long ended = (long) CURRENT.getAndSet(this, 0L);
    previous = minutes == 1 ? ended : 0;
  }
}
