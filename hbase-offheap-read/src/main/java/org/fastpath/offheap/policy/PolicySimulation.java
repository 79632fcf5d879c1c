package org.fastpath.offheap.policy;

import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * The policy of this package without a cache around it, for measuring hit ratios: blocks have keys
 * and lengths, but no bytes. Not for several threads.
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
   * Begins with an empty cache.
   *
   * @param bytes what all blocks together may take
   * @param blocks the most blocks at a time
   */
  public PolicySimulation(long bytes, int blocks) {
    this(AdaptiveLfuPolicy::new, bytes, blocks);
  }

  /** The same with another policy. */
  public PolicySimulation(EvictionPolicy.Factory policies, long bytes, int blocks) {
    capacity = bytes;
    entries = new BlockEntries(blocks, MemoryAllocator.DIRECT);
    policy = policies.create(entries, bytes, IN_MEMORY_SHARE, MemoryAllocator.DIRECT);
  }

  /** A block was found. */
  public void hit(int entry) {
    policy.recordHit(entry);
  }

  /**
   * Makes a block leave if there is not enough room for another; to be called until there is.
   *
   * @return the block that left, or {@link #NONE} if there is room
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
   * A block comes in; there must be room.
   *
   * @return its number, until it leaves
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
