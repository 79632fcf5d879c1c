package org.fastpath.tiered.regionserver.guard;

/**
 * What {@link OverloadModel} makes of the samples. Rates are bytes a second.
 *
 * @param overloaded whether there is a lasting overload
 * @param ingest what is appended to the logs
 * @param demand what would be if nothing held writes up
 * @param capacity what flushes take when they have as much to do as they can; -1 if that was never
 *     so
 * @param pressedShare of the time, that in which they had
 * @param blockedShare of the time, that in which writes were held up
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

  /** Before the first sample. */
  static final LoadState NONE = new LoadState(false, 0, 0, UNKNOWN, 0, 0, -1);
}
