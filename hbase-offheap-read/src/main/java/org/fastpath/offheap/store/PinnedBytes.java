package org.fastpath.offheap.store;

import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.index.BlockTable;

/**
 * How many bytes of cached blocks readers hold, for metrics. A counter would cost each hit two
 * atomic operations. So the counters that pins change anyway are looked at, a bounded number of
 * blocks at a time: all of them in a cache of up to {@link #MOST} blocks. In a larger cache each
 * call goes on from where the last one ended, and the answer is that of the last round over all.
 *
 * <p>The time of a call does not depend on the number of blocks, and nothing is allocated.
 */
final class PinnedBytes {
  /** Blocks that one call looks at: some milliseconds. */
  static final int MOST = 1 << 20;

  private final BlockEntries entries;
  private final BlockTable table;
  private final int most;

  private int next;
  private long sum;
  private long lastRound;

  PinnedBytes(BlockEntries entries, BlockTable table) {
    this(entries, table, MOST);
  }

  /** With another number of blocks that one call looks at; for tests. */
  PinnedBytes(BlockEntries entries, BlockTable table, int most) {
    this.entries = entries;
    this.table = table;
    this.most = most;
  }

  /** Goes on with the round, and says what is known. */
  synchronized long look() {
    int highest = entries.highest();
    int from = next < highest ? next : 0;
    int to = from + Math.min(most, highest - from);
    sum = (from == 0 ? 0 : sum) + table.heldBytes(from, to);
    next = to;
    if (to == highest) {
      lastRound = sum;
      next = 0;
    }
    return Math.max(lastRound, sum);
  }
}
