package org.fastpath.tiered.datanode;

/**
 * By how much a volume has kept writers waiting longer than is borne: what they waited beyond that,
 * added up, never below zero. A volume that is in order pays off more than it adds, and stays near
 * zero; one that has become slow grows from the moment on at which it did, however much it did
 * before. That is E. S. Page's cumulative sum (Continuous Inspection Schemes, Biometrika 1954): no
 * other rule that errs as seldom finds a change as soon (G. V. Moustakides, Annals of Statistics
 * 1986), while an average has first to forget what was before.
 *
 * <p>For one thread at a time.
 */
final class ExcessWaitCusum {
  /**
   * No single wait counts for more: one is a hiccup of the device or a pause of the process, and a
   * long one is a stall, which is noticed while it lasts.
   */
  private static final double LONGEST_WAIT_NANOS = 500e6;

  private double nanos;
  private double waiting;

  /**
   * Takes in what happened since the last time.
   *
   * @param waitedNanos time with writes in flight
   * @param borneNanos what is borne for what was written meanwhile; 0 if nothing was
   */
  void add(double waitedNanos, double borneNanos) {
    waiting += waitedNanos;
    if (borneNanos > 0) {
      nanos = Math.max(0, nanos + Math.min(waiting, LONGEST_WAIT_NANOS) - borneNanos);
      waiting = 0;
    }
  }

  /** Forgets it. */
  void reset() {
    nanos = 0;
    waiting = 0;
  }

  /** Nanoseconds of too much waiting. */
  double nanos() {
    return nanos;
  }
}
