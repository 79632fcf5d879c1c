package org.fastpath.zcr.pin;

import java.util.OptionalLong;

/**
 * Estimates the time of the NameNode's clock, by which leases end, without a wall clock. A lease
 * was set at a known time of our monotonic clock, and the NameNode lists its end. This gives the
 * difference of the clocks, exact to the time of one call.
 *
 * <p>Not thread-safe.
 */
final class LeaseClock {
  private boolean known;
  private long difference;
  private long learned;

  /**
   * Learns from a lease.
   *
   * @param expires its end by the NameNode's clock
   * @param leaseMillis its duration
   * @param set time of its begin by our clock
   */
  void learn(long expires, long leaseMillis, long set) {
    difference = expires - leaseMillis - set;
    learned = set;
    known = true;
  }

  /** Returns the NameNode's time; empty if it is unknown or was learned too long ago. */
  OptionalLong now(long now, long mostAge) {
    return known && now - learned <= mostAge
        ? OptionalLong.of(now + difference)
        : OptionalLong.empty();
  }
}
