package org.fastpath.tiered.datanode.move;

/**
 * Limits bytes per second. Each move occupies the line for the time of its bytes at that rate, and
 * the next move begins after it. Unused bandwidth is not saved. Thread-safe.
 */
final class MovePacer {
  private static final double NANOS_PER_SECOND = 1e9;

  private final double nanosPerByte;
  private boolean used;
  private long free;

  MovePacer(long bytesPerSecond) {
    nanosPerByte = NANOS_PER_SECOND / bytesPerSecond;
  }

  /** Returns the nanoseconds until the next move may begin. */
  synchronized long nanosUntilFree(long nowNanos) {
    return used ? Math.max(0, free - nowNanos) : 0;
  }

  /** Books a move. Returns the nanoseconds until it may begin. */
  synchronized long book(long bytes, long nowNanos) {
    long begin = used ? nowNanos + Math.max(0, free - nowNanos) : nowNanos;
    used = true;
    free = begin + (long) (bytes * nanosPerByte);
    return begin - nowNanos;
  }
}
