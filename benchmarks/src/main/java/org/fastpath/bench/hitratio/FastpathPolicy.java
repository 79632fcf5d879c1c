package org.fastpath.bench.hitratio;

import java.util.Arrays;
import org.fastpath.offheap.policy.PolicySimulation;

/** Ours: the class that the cache uses. */
final class FastpathPolicy implements CachePolicy {
  private static final int NONE = -1;

  private final PolicySimulation policy;
  private final int[] entries;
  private final int[] blocks;

  FastpathPolicy(Trace trace, long capacity) {
    policy = new PolicySimulation(capacity, trace.blocks());
    entries = new int[trace.blocks()];
    blocks = new int[trace.blocks() + 1];
    Arrays.fill(entries, NONE);
  }

  @Override
  public boolean read(int block, int length) {
    if (entries[block] != NONE) {
      policy.hit(entries[block]);
      return true;
    }
    for (int gone = policy.evictFor(length); gone != NONE; gone = policy.evictFor(length)) {
      entries[blocks[gone]] = NONE;
    }
    int entry = policy.add(0, block, length);
    entries[block] = entry;
    blocks[entry] = block;
    return false;
  }
}
