package org.fastpath.zcr.pin;

import java.util.OptionalLong;

/**
 * Tells the time of the NameNode's clock, by which leases end, without asking anybody's wall clock.
 * A lease that was set at a moment of our monotonic clock, and that the NameNode lists with its
 * end, says how the two clocks differ, but for the time of one call.
 *
 * <p>Not thread-safe.
 */
final class LeaseClock {
  private boolean known;
  private long difference;
  private long learned;

  /**
   * Takes notice of a lease.
   *
   * @param expires its end, by the NameNode's clock
   * @param leaseMillis for how long it was set
   * @param set when it was, by our clock
   */
  void learn(long expires, long leaseMillis, long set) {
    difference = expires - leaseMillis - set;
    learned = set;
    known = true;
  }

  /** The NameNode's time; empty if that is not known, or was learned too long ago. */
  OptionalLong now(long now, long mostAge) {
    return known && now - learned <= mostAge
        ? OptionalLong.of(now + difference)
        : OptionalLong.empty();
  }
}
