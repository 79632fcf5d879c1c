package org.fastpath.metrics.region;

/**
 * Remembers, for one thread, when an operation began and for which histograms.
 *
 * <p>Between begin and end another coprocessor may have the same thread do the same kind of
 * operation on another region, or on this one. The inner one takes the stopwatch over and clears it
 * when it is through; the outer one finds it in other hands or cleared and has no time: better none
 * than a wrong one. What began and failed leaves a begin behind, which the next one overwrites.
 */
final class Stopwatch {
  /** What {@link #nanos} says of an operation that it did not see begin. */
  static final long NOT_SEEN = -1;

  private RegionHistograms owner;
  private long begin;

  void start(RegionHistograms histograms) {
    owner = histograms;
    begin = System.nanoTime();
  }

  /** The time since the start, if the last one was for these histograms. */
  long nanos(RegionHistograms histograms) {
    return owner == histograms ? System.nanoTime() - begin : NOT_SEEN;
  }

  void clear() {
    owner = null;
  }
}
