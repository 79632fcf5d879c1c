package org.fastpath.tiered.regionserver;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How many calls the keeper of tiers makes to the NameNode: so many a second, and in a round as
 * many as a pause between two rounds has time for. What is left over then is done in later rounds.
 * For one thread.
 */
final class CallBudget {
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Waits; of a test it may only pass the time. */
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
   * A budget.
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

  /** For somebody who asks once and waits for the answer. */
  static CallBudget unlimited() {
    return new CallBudget(
        SECOND_NANOS, Long.MAX_VALUE / SECOND_NANOS, System::nanoTime, nanos -> {});
  }

  /** A round begins. */
  void beginRound() {
    taken = 0;
  }

  /** Whether a round may begin nothing more that can wait. */
  boolean isSpent() {
    return taken >= callsPerRound;
  }

  /** Waits until that many calls may be made; calls of a second may come at once. */
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

  /** Calls of this round. */
  long taken() {
    return taken;
  }
}
