package org.fastpath.metrics;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Counts minutes, and gives each minute to exactly one caller. */
final class Minutes {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final LongSupplier nanoTime;
  private final AtomicLong told;

  Minutes(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    told = new AtomicLong(nanoTime.getAsLong());
  }

  /** Returns the whole minutes since the last call that returned some; 0 for all other callers. */
  int passed() {
    long last = told.get();
    long minutes = (nanoTime.getAsLong() - last) / MINUTE;
    if (minutes <= 0 || !told.compareAndSet(last, last + minutes * MINUTE)) {
      return 0;
    }
    return (int) Math.min(minutes, Integer.SIZE);
  }
}
