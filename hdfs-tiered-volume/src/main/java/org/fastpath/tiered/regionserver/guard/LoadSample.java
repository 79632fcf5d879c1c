package org.fastpath.tiered.regionserver.guard;

/**
 * A sample of a RegionServer's write load.
 *
 * @param nanos time by a monotonic clock
 * @param ingestedBytes appended to its logs so far
 * @param drainedBytes of memstores written to store files so far
 * @param pressure of its memstores: 0 where HBase begins to flush by itself, 1 where it blocks
 *     writes
 * @param blockedShare share of the written regions that accept nothing now: 0 to 1
 */
record LoadSample(
    long nanos, long ingestedBytes, long drainedBytes, double pressure, double blockedShare) {

  /** Memstores exceed the mark by this much only if flushes do not keep up. */
  private static final double BUSY = 0.25;

  /** Returns whether flushes are fully busy. */
  boolean isPressed() {
    return pressure >= BUSY || blockedShare > 0;
  }
}
