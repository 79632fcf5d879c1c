package org.fastpath.offheap.policy;

import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * Runs the policy of this package without a cache, for measuring hit ratios: blocks have keys and
 * lengths, but no bytes. Not thread-safe.
 */
public final class PolicySimulation {
  /** No block. */
  public static final int NONE = BlockEntries.NONE;

  private static final double IN_MEMORY_SHARE = 0.25;

  private final long capacity;
  private final BlockEntries entries;
  private final EvictionPolicy policy;
  private long used;

  /**
   * Makes an empty cache.
   *
   * @param bytes limit of all blocks together
   * @param blocks maximum number of blocks
   */
  public PolicySimulation(long bytes, int blocks) {
    this(AdaptiveLfuPolicy::new, bytes, blocks);
  }

  /** Makes the same with another policy. */
  public PolicySimulation(EvictionPolicy.Factory policies, long bytes, int blocks) {
    capacity = bytes;
    entries = new BlockEntries(blocks, MemoryAllocator.DIRECT);
    policy = policies.create(entries, bytes, IN_MEMORY_SHARE, MemoryAllocator.DIRECT);
  }

  /** Records a hit. */
  public void hit(int entry) {
    policy.recordHit(entry);
  }

  /**
   * Evicts a block if there is too little room for another. The caller repeats it until there is
   * room.
   *
   * @return the evicted block, or {@link #NONE} if there is room
   */
  public int evictFor(int length) {
    if (used + length <= capacity) {
      return NONE;
    }
    int entry = policy.evict(any -> true);
    used -= entries.length(entry);
    entries.free(entry);
    return entry;
  }

  /**
   * Adds a block; there must be room.
   *
   * @return its number until its eviction
   */
  public int add(int file, long offset, int length) {
    int entry = entries.allocate();
    entries.key(entry, file, offset);
    entries.length(entry, length);
    policy.add(entry, false);
    used += length;
    return entry;
  }
}
