package org.fastpath.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The maximum of the current minute and the one before. It is written rarely, so it is not striped.
 *
 * <p>A value stays visible for at least a whole minute, also while another thread advances.
 */
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
    long now = current; // first: advance fills previous before it clears current
    return Math.max(previous, now);
  }

  /** Ends the current minute. Several minutes may have passed without a snapshot. */
  final void advance() {
    long ended;
    do {
      ended = current;
      previous = ended;
    } while (!CURRENT.compareAndSet(this, ended, 0L));
  }
}
