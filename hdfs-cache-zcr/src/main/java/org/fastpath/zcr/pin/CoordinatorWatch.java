package org.fastpath.zcr.pin;

/** Tracks whether the coordinator answers this server's reports. Thread-safe. */
final class CoordinatorWatch {
  /** After so many intervals without an answer, a hanging report counts as failed. */
  private static final int INTERVALS = 3;

  private static final long PATIENCE_MILLIS = 10_000;

  private final long intervalMillis;
  private volatile boolean failed;
  private volatile long answered;

  /** Starts with the assumption that the coordinator answers. */
  CoordinatorWatch(long intervalMillis, long now) {
    this.intervalMillis = intervalMillis;
    answered = now;
  }

  void answered(long now) {
    answered = now;
    failed = false;
  }

  void failed() {
    failed = true;
  }

  /** Returns whether the last call failed, or no call was answered for some intervals. */
  boolean isAway(long now) {
    return failed || now - answered > INTERVALS * intervalMillis + PATIENCE_MILLIS;
  }
}
