package org.fastpath.offheap.store;

import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.index.BlockTable;

/**
 * Computes the bytes of pinned blocks, for metrics. A counter would cost each hit two atomic
 * operations. So a call sums up the pins' own counters, for a limited number of blocks. In a cache
 * of up to {@link #MAX} blocks, that is all of them. In a larger cache each call continues from the
 * last one, and the result is that of the last complete round.
 *
 * <p>The time of a call is limited, and nothing is allocated.
 */
final class PinnedBytes {
  /** The number of blocks that one call examines, in some milliseconds. */
  static final int MAX = 1 << 20;

  private final BlockEntries entries;
  private final BlockTable table;
  private final int most;

  private int next;
  private long sum;
  private long lastRound;

  PinnedBytes(BlockEntries entries, BlockTable table) {
    this(entries, table, MAX);
  }

  /** Makes it with another number of examined blocks per call; for tests. */
  PinnedBytes(BlockEntries entries, BlockTable table, int most) {
    this.entries = entries;
    this.table = table;
    this.most = most;
  }

  /** Continues the round and returns the last result. */
  synchronized long refresh() {
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
