package org.fastpath.metrics.region;

/**
 * Remembers the begin of an operation for one thread, with its histograms and its call.
 *
 * <p>Between begin and end, another coprocessor may run the same kind of operation on the same
 * thread. The inner operation takes the stopwatch and clears it at its end. The outer operation
 * then finds it taken or cleared and records no time, which is better than a wrong one. An
 * operation that fails leaves its begin behind. The call tells it apart from a later one.
 */
final class Stopwatch {
  /** The result of {@link #nanos} for an operation without a known begin. */
  static final long NOT_SEEN = -1;

  private RegionHistograms owner;
  private Object call;
  private long begin;

  /**
   * Begins an operation.
   *
   * @param rpcCall null outside of calls
   */
  void start(RegionHistograms histograms, Object rpcCall) {
    owner = histograms;
    call = rpcCall;
    begin = System.nanoTime();
  }

  /** Returns the time since the start, if the last one was for these histograms in this call. */
  long nanos(RegionHistograms histograms, Object rpcCall) {
    return owner == histograms && call == rpcCall ? System.nanoTime() - begin : NOT_SEEN;
  }

  void clear() {
    owner = null;
    call = null;
  }
}
