package org.fastpath.bench.hitratio;

import java.util.Arrays;
import java.util.TreeSet;

/**
 * The optimum for blocks of one size: evicts, or does not let in, the block that is read again last
 * (Belady, 1966). It knows the trace beforehand. Reads of scans count for it as any other; blocks
 * of several sizes make it a good bound, no optimum.
 */
final class BeladyPolicy implements CachePolicy {
  private static final int NEVER = Integer.MAX_VALUE;

  private final long capacity;
  private final int[] nextReads;
  private final int[] lengths;
  private final int[] cachedUntil;
  private final TreeSet<Long> byNextRead = new TreeSet<>();
  private int place;
  private long used;

  BeladyPolicy(Trace trace, long capacity) {
    this.capacity = capacity;
    lengths = trace.lengths();
    cachedUntil = new int[trace.blocks()];
    Arrays.fill(cachedUntil, -1);
    nextReads = new int[trace.reads().length];
    int[] next = new int[trace.blocks()];
    Arrays.fill(next, NEVER);
    for (int i = nextReads.length - 1; i >= 0; i--) {
      int block = trace.reads()[i];
      nextReads[i] = next[block];
      next[block] = i;
    }
  }

  @Override
  public boolean read(int block, int length) {
    boolean hit = cachedUntil[block] >= 0;
    if (hit) {
      byNextRead.remove(key(cachedUntil[block], block));
    } else {
      used += length;
    }
    cachedUntil[block] = nextReads[place++];
    byNextRead.add(key(cachedUntil[block], block));
    while (used > capacity) {
      int last = byNextRead.pollLast().intValue();
      cachedUntil[last] = -1;
      used -= lengths[last];
    }
    return hit;
  }

  private static long key(int nextRead, int block) {
    return (long) nextRead << 32 | block;
  }
}
