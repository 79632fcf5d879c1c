package org.fastpath.tiered.regionserver;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the calls of the keeper of tiers to the NameNode. The limit is a number per second. A
 * round has the calls that fit into the pause between two rounds. Later rounds do the remaining
 * work. Not thread-safe.
 */
final class CallBudget {
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Waits. A test may only advance its clock. */
  @FunctionalInterface
  interface Sleeper {
    void sleep(long nanos) throws InterruptedException;
  }

  private final long nanosPerCall;
  private final long callsPerRound;
  private final LongSupplier clock;
  private final Sleeper sleeper;
  private long free;
  private long taken;

  /**
   * Makes a budget.
   *
   * @param perSecond calls a second
   * @param periodMillis pause between two rounds
   */
  CallBudget(long perSecond, long periodMillis, LongSupplier nanoClock, Sleeper sleeper) {
    nanosPerCall = SECOND_NANOS / perSecond;
    callsPerRound = Math.max(1, perSecond * periodMillis / TimeUnit.SECONDS.toMillis(1));
    clock = nanoClock;
    this.sleeper = sleeper;
    free = nanoClock.getAsLong();
  }

  /** Returns a budget without limits, for a command that runs once. */
  static CallBudget unlimited() {
    return new CallBudget(
        SECOND_NANOS, Long.MAX_VALUE / SECOND_NANOS, System::nanoTime, nanos -> {});
  }

  /** Begins a round. */
  void beginRound() {
    taken = 0;
  }

  /** Returns whether a round may begin no more work that can wait. */
  boolean isSpent() {
    return taken >= callsPerRound;
  }

  /** Waits until that many calls are allowed. The calls of a second may come at once. */
  void take(int calls) {
    taken += calls;
    long now = clock.getAsLong();
    long wait = free - now;
    free = Math.max(free, now - SECOND_NANOS) + calls * nanosPerCall;
    if (wait > 0) {
      try {
        sleeper.sleep(wait);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns the calls of this round. */
  long taken() {
    return taken;
  }
}
