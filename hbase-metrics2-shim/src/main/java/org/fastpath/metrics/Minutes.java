package org.fastpath.metrics;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Tells, to one of those who ask, how many minutes have passed since it told the last time. */
final class Minutes {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final LongSupplier nanoTime;
  private final AtomicLong told;

  Minutes(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    told = new AtomicLong(nanoTime.getAsLong());
  }

  /** How many whole minutes; 0 for all but the first who asks. */
  int passed() {
    long last = told.get();
    long minutes = (nanoTime.getAsLong() - last) / MINUTE;
    if (minutes <= 0 || !told.compareAndSet(last, last + minutes * MINUTE)) {
      return 0;
    }
    return (int) Math.min(minutes, Integer.SIZE);
  }
}
