package org.fastpath.zcr.pin;

/**
 * How much a file is read: the bytes of its block reads, of which half are forgotten every
 * half-life. One number that has both frequency and recency in it: with a half-life of no time it
 * ranks files as LRU does, with an endless one as LFU (LRFU, paper 1 of {@link PinPlanner}).
 *
 * <p>Not thread-safe. Times are milliseconds of a clock that does not go back.
 */
final class Heat {
  private final double halfLife;
  private final long since;
  private double bytes;
  private long at;

  Heat(long halfLifeMillis, long now) {
    halfLife = halfLifeMillis;
    since = now;
    at = now;
  }

  /** These bytes were read until now. */
  void add(double read, long now) {
    bytes = at(now) + read;
    at = now;
  }

  /** Bytes read, the longer ago the fewer. */
  double at(long now) {
    return bytes * Math.pow(0.5, (now - at) / halfLife);
  }

  /** Whether it has been measured for less than a half-life, so that little says nothing yet. */
  boolean settling(long now) {
    return now - since < halfLife;
  }
}
