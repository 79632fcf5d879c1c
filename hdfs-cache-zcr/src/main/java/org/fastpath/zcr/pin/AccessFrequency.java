package org.fastpath.zcr.pin;

/**
 * The access frequency of a file: the bytes of its block reads, halved every half-life. This number
 * combines frequency and recency. A half-life of zero ranks files as LRU, an infinite one as LFU
 * (LRFU, paper 1 of {@link PinPlanner}).
 *
 * <p>Not thread-safe. Times are milliseconds of a clock that does not go back.
 */
final class AccessFrequency {
  private final double halfLife;
  private final long since;
  private double bytes;
  private long at;

  AccessFrequency(long halfLifeMillis, long now) {
    halfLife = halfLifeMillis;
    since = now;
    at = now;
  }

  /** Adds bytes that were read until now. */
  void add(double read, long now) {
    bytes = at(now) + read;
    at = now;
  }

  /** Returns the bytes read, decayed by age. */
  double at(long now) {
    return bytes * Math.pow(0.5, (now - at) / halfLife);
  }

  /**
   * Returns whether it has been measured for less than a half-life, so a low value is no evidence
   * yet.
   */
  boolean settling(long now) {
    return now - since < halfLife;
  }
}
