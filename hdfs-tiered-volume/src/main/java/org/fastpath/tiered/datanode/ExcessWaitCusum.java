package org.fastpath.tiered.datanode;

/**
 * Adds up the time for which a volume kept writers waiting beyond an allowance. The sum is never
 * below zero. A healthy volume stays near zero. The sum of a slow volume grows from the moment of
 * the change, whatever its history. This is E. S. Page's cumulative sum (Continuous Inspection
 * Schemes, Biometrika 1954). At the same rate of false alarms, no other rule finds a change sooner
 * (G. V. Moustakides, Annals of Statistics 1986). An average must first forget the earlier values.
 *
 * <p>Not thread-safe.
 */
final class ExcessWaitCusum {
  /**
   * The limit for a single wait. One long wait is a pause of the device or process. A longer one is
   * a stall, which is detected separately.
   */
  private static final double MAX_WAIT_NANOS = 500e6;

  private double nanos;
  private double waiting;

  /**
   * Adds the wait since the last call.
   *
   * @param waitedNanos time with writes in flight
   * @param borneNanos allowed time for the bytes written meanwhile; 0 if none were
   */
  void add(double waitedNanos, double borneNanos) {
    waiting += waitedNanos;
    if (borneNanos > 0) {
      nanos = Math.max(0, nanos + Math.min(waiting, MAX_WAIT_NANOS) - borneNanos);
      waiting = 0;
    }
  }

  /** Resets the sum. */
  void reset() {
    nanos = 0;
    waiting = 0;
  }

  /** Returns the nanoseconds of excess waiting. */
  double nanos() {
    return nanos;
  }
}
