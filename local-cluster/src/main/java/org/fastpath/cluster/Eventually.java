package org.fastpath.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Assertions of tests about metrics of daemons. Metrics are some seconds old. After a region was
 * opened or closed, HBase restarts Metrics2, and for half a second there are none.
 */
public final class Eventually {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long FIRST_POLL_MILLIS = 10;
  private static final long POLL_MILLIS = 200;

  private Eventually() {}

  /** An assertion that throws an {@link AssertionError} while it does not hold. */
  @FunctionalInterface
  public interface Assertion {
    /** Checks it. */
    void check() throws Exception;
  }

  /**
   * Repeats a check until it holds, often at first. After two minutes it fails with the last
   * check's error.
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

  /** Waits for a number in a daemon's bean and returns it. */
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
