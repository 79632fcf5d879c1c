package org.fastpath.tiered.regionserver.guard;

/**
 * What a RegionServer says of its writes at one moment.
 *
 * @param nanos when, by a clock that only goes on
 * @param ingestedBytes appended to its logs so far
 * @param drainedBytes of memstores written to store files so far
 * @param pressure of its memstores: 0 where HBase begins to flush by itself, 1 where it holds
 *     writes up
 * @param blockedShare of the regions that are written to, those that take nothing now: 0 to 1
 */
record LoadSample(
    long nanos, long ingestedBytes, long drainedBytes, double pressure, double blockedShare) {

  /** Beyond the mark by that much memstores are only where flushes do not keep up. */
  private static final double BUSY = 0.25;

  /** Whether flushes have as much to do as they can. */
  boolean isPressed() {
    return pressure >= BUSY || blockedShare > 0;
  }
}
