package org.fastpath.cluster;

import java.time.Duration;
import java.util.function.IntSupplier;

/**
 * Checks whether RegionServers have opened the regions that they had before a restart. Their
 * earlier metrics are some seconds old and may include a dropped table. So fewer regions suffice if
 * their number has not changed for {@link #SETTLED}.
 */
final class RegionsOpen {
  private static final Duration SETTLED = Duration.ofSeconds(15);

  private final int expected;
  private final IntSupplier open;
  private int seen;
  private long since = System.nanoTime();

  RegionsOpen(int expected, IntSupplier open) {
    this.expected = expected;
    this.open = open;
  }

  boolean reached() {
    int now = open.getAsInt();
    if (now != seen) {
      seen = now;
      since = System.nanoTime();
    }
    boolean settled = System.nanoTime() - since > SETTLED.toNanos();
    return now >= expected || now > 0 && settled;
  }
}
