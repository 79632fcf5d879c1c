package org.fastpath.zcr.hbase;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory of all indexes beside mappings. If the JVM refuses direct memory, no request
 * follows for a minute, because a refusal takes half a second. Thread-safe.
 */
final class IndexBudget {
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final AtomicLong USED = new AtomicLong();

  private static volatile long limit = Long.MAX_VALUE;

  /** The time of the JVM's last refusal, in nanoseconds; 0 if there was none. */
  private static volatile long refusedNanos;

  private IndexBudget() {}

  /** Sets the limit in bytes. Indexes above a lower limit stay. */
  static void limit(long bytes) {
    limit = bytes;
  }

  static boolean reserve(int bytes) {
    long refused = refusedNanos;
    if (refused != 0 && System.nanoTime() - refused < PAUSE_NANOS) {
      return false;
    }
    for (long before = USED.get(); before <= limit - bytes; before = USED.get()) {
      if (USED.compareAndSet(before, before + bytes)) {
        return true;
      }
    }
    return false;
  }

  static void giveBack(long bytes) {
    USED.addAndGet(-bytes);
  }

  /** Returns reserved bytes that the JVM refused. */
  static void refused(long bytes) {
    refusedNanos = System.nanoTime() | 1;
    giveBack(bytes);
  }

  static long usedBytes() {
    return USED.get();
  }
}
