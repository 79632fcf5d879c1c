package org.fastpath.metrics.region;

/**
 * Remembers, for one thread, when an operation began, for which histograms and in which call.
 *
 * <p>Between begin and end another coprocessor may have the same thread do the same kind of
 * operation on another region, or on this one. The inner one takes the stopwatch over and clears it
 * when it is through; the outer one finds it in other hands or cleared and has no time: better none
 * than a wrong one. What began and failed leaves a begin behind, which nobody of a later call takes
 * for his.
 */
final class Stopwatch {
  /** What {@link #nanos} says of an operation that it did not see begin. */
  static final long NOT_SEEN = -1;

  private RegionHistograms owner;
  private Object call;
  private long begin;

  /**
   * An operation begins.
   *
   * @param rpcCall null outside of calls
   */
  void start(RegionHistograms histograms, Object rpcCall) {
    owner = histograms;
    call = rpcCall;
    begin = System.nanoTime();
  }

  /** The time since the start, if the last one was for these histograms in this call. */
  long nanos(RegionHistograms histograms, Object rpcCall) {
    return owner == histograms && call == rpcCall ? System.nanoTime() - begin : NOT_SEEN;
  }

  void clear() {
    owner = null;
    call = null;
  }
}
