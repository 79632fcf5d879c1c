package org.fastpath.tiered.regionserver.guard;

/**
 * Computes the limit of writes during an overload. Memstores integrate the difference of writes and
 * flushes, and a proportional rule holds an integrator: the emptier the memstores, the higher the
 * limit. The limit equals the capacity halfway from HBase's flush mark to its blocking limit.
 * Nearer to the mark, flushes idle; nearer to the limit, one long flush stops all writes.
 *
 * <p>HBase's other limits move the point of blocking, or slow down flushes. A request quota for
 * write sizes is a rate. A client waits outside the server, and reads pass.
 *
 * <p>Stateless.
 */
final class WritePace {
  /** The part of the capacity that is allowed while memstores are at the mark. */
  private static final double AT_MARK = 1.15;

  /** The decrease of that part from the mark to the limit. */
  private static final double SLOPE = 0.3;

  /** The maximum part of the capacity that is allowed. */
  private static final double MAX = 1.3;

  /** The minimum limit in bytes a second. Below it, HBase's own blocking suffices. */
  private static final double FLOOR = 256 << 10;

  private WritePace() {}

  /** Returns the limit in bytes a second. */
  static long limit(LoadState state) {
    double share = Math.min(MAX, AT_MARK - SLOPE * Math.min(1, state.pressure()));
    return Math.round(Math.max(FLOOR, state.capacity() * share));
  }
}
