package org.fastpath.tiered.datanode.move;

/**
 * Bounds bytes per second: each move has the line for itself for as long as its bytes take at that
 * rate, and begins when the one before has left it. What was not used is not saved up. Thread-safe.
 */
final class MovePacer {
  private static final double NANOS_PER_SECOND = 1e9;

  private final double nanosPerByte;
  private boolean used;
  private long free;

  MovePacer(long bytesPerSecond) {
    nanosPerByte = NANOS_PER_SECOND / bytesPerSecond;
  }

  /** How long from now the next move has to wait, in nanoseconds. */
  synchronized long nanosUntilFree(long nowNanos) {
    return used ? Math.max(0, free - nowNanos) : 0;
  }

  /** Books a move; returns how long from now it has to wait, in nanoseconds. */
  synchronized long book(long bytes, long nowNanos) {
    long begin = used ? nowNanos + Math.max(0, free - nowNanos) : nowNanos;
    used = true;
    free = begin + (long) (bytes * nanosPerByte);
    return begin - nowNanos;
  }
}
