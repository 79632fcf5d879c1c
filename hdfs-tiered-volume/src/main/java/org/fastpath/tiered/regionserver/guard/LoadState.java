package org.fastpath.tiered.regionserver.guard;

/**
 * The result of {@link OverloadModel}. Rates are bytes a second.
 *
 * @param overloaded whether there is a lasting overload
 * @param ingest rate of appends to the logs
 * @param demand rate of appends without blocking
 * @param capacity rate of flushes while fully busy; -1 if unknown
 * @param pressedShare share of the time in which flushes were fully busy
 * @param blockedShare share of the time in which writes were blocked
 * @param pressure of the last sample
 */
record LoadState(
    boolean overloaded,
    double ingest,
    double demand,
    double capacity,
    double pressedShare,
    double blockedShare,
    double pressure) {
  static final double UNKNOWN = -1;

  /** The state before the first sample. */
  static final LoadState NONE = new LoadState(false, 0, 0, UNKNOWN, 0, 0, -1);
}
