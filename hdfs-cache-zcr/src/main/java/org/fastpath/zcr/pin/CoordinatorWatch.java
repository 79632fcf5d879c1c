package org.fastpath.zcr.pin;

/** Whether the coordinator answers this server, by its reports. Thread-safe. */
final class CoordinatorWatch {
  /** A report that hangs has not failed yet. */
  private static final int INTERVALS = 3;

  private static final long PATIENCE_MILLIS = 10_000;

  private final long intervalMillis;
  private volatile boolean failed;
  private volatile long answered;

  /** Starts with a coordinator that is taken to answer. */
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

  /** Whether the last call failed, or none was answered for some intervals. */
  boolean isAway(long now) {
    return failed || now - answered > INTERVALS * intervalMillis + PATIENCE_MILLIS;
  }
}
