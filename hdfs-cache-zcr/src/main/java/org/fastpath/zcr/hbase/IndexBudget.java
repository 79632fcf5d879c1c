package org.fastpath.zcr.hbase;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory of all indexes beside mappings. When the JVM refuses direct memory, it is not
 * asked again for a minute: a refusal costs it half a second. Safe from any thread.
 */
final class IndexBudget {
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final AtomicLong USED = new AtomicLong();

  private static volatile long limit = Long.MAX_VALUE;

  /** When the JVM last refused memory; 0 if it has not. */
  private static volatile long refusedNanos;

  private IndexBudget() {}

  /** Sets how many bytes there may be. What is there beyond stays. */
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

  /** The JVM refused bytes that were reserved. */
  static void refused(long bytes) {
    refusedNanos = System.nanoTime() | 1;
    giveBack(bytes);
  }

  static long usedBytes() {
    return USED.get();
  }
}
