package org.fastpath.tiered.regionserver.guard;

/**
 * How fast writes may come in while there is an overload.
 *
 * <p><b>Which throttle.</b> HBase has several, and most make the stop-and-go worse that they should
 * end. {@code hbase.hregion.memstore.block.multiplier} and the memstore limits move the point where
 * everything stops; the first is read when a region is opened, and a smaller buffer stops more
 * often. {@code hbase.hstore.blockingStoreFiles} higher lets flushes go on and pays with reads and
 * with compactions that are further behind. The pressure-aware controllers slow flushes and
 * compactions down, which are what is too slow. {@code hbase.region.store.parallel.put.limit}
 * bounds how many put at a time, and turns the others away: how many bytes a second that is depends
 * on the log, the faster the more. The write size of a request quota is the one that is a rate. It
 * is a token bucket that tells a client for how long to wait, so that writers come back when there
 * is room and wait outside the server, where they hold neither a handler nor a lock; reads do not
 * pass it. Set through the Master it would be in {@code hbase:quota}, for all servers, and stay
 * there when the server that wanted it is gone; so it is set in this server's own cache of quotas.
 *
 * <p><b>Which rate.</b> Memstores integrate the difference of what comes in and what is worked off,
 * and an integrator is held by a proportional rule: the emptier, the faster, with equality where it
 * should stay. That is halfway from the mark at which HBase flushes by itself to the limit: nearer
 * to the mark flushes idle between two pieces, which costs throughput; nearer to the limit one
 * flush that takes longer stops everything. So more than capacity is allowed at the mark, and less
 * at the limit. The surplus also finds out when the tier has become faster: what comes in without
 * pressure counts as capacity, and the rate grows with it. (J. Hellerstein, Y. Diao, S. Parekh, D.
 * Tilbury, <em>Feedback Control of Computing Systems</em>, 2004.)
 *
 * <p>Stateless.
 */
final class WritePace {
  /** Of capacity, allowed while memstores are at the mark. */
  private static final double AT_MARK = 1.15;

  /** How much less of capacity it is from the mark to the limit. */
  private static final double SLOPE = 0.3;

  /** The most of capacity that is allowed. */
  private static final double MOST = 1.3;

  /** Bytes a second below which nobody is pushed: HBase's own stop does for that. */
  private static final double FLOOR = 256 << 10;

  private WritePace() {}

  /** Bytes a second that may come in. */
  static long limit(LoadState state) {
    double share = Math.min(MOST, AT_MARK - SLOPE * Math.min(1, state.pressure()));
    return Math.round(Math.max(FLOOR, state.capacity() * share));
  }
}
