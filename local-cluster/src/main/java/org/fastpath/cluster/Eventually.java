package org.fastpath.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Assertions of tests about what daemons show of themselves: that is some seconds old, and nothing
 * is shown for half a second, a few seconds after a region was opened or closed, while HBase
 * restarts Metrics2.
 */
public final class Eventually {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long FIRST_POLL_MILLIS = 10;
  private static final long POLL_MILLIS = 200;

  private Eventually() {}

  /** Something that fails with an {@link AssertionError} as long as it does not hold. */
  @FunctionalInterface
  public interface Assertion {
    /** Checks it. */
    void check() throws Exception;
  }

  /**
   * Checks until it holds, often at first; fails as the last check did if it does not within two
   * minutes.
   */
  public static void holds(Assertion assertion) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    long pause = FIRST_POLL_MILLIS;
    while (true) {
      try {
        assertion.check();
        return;
      } catch (AssertionError e) {
        if (System.nanoTime() > end) {
          throw e;
        }
      }
      Thread.sleep(pause);
      pause = Math.min(POLL_MILLIS, pause + pause / 2);
    }
  }

  /** A number that a daemon's bean shows, as soon as it does. */
  public static long shown(Daemon daemon, String bean, String attribute) throws Exception {
    AtomicLong value = new AtomicLong();
    holds(
        () -> {
          Optional<String> now = daemon.jmxAttribute(bean, attribute);
          value.set(
              Long.parseLong(
                  now.orElseThrow(
                      () ->
                          new AssertionError(
                              daemon.name() + " does not show " + attribute + " of " + bean))));
        });
    return value.get();
  }
}
