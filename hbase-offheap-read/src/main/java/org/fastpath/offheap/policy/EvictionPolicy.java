package org.fastpath.offheap.policy;

import java.util.function.IntPredicate;
import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * Chooses the block to evict. It identifies blocks by the numbers of their {@link BlockEntries}.
 * Its state is in the policy's fields of an entry and off the heap.
 *
 * <p>All methods except {@link #recordHit} are called with the cache's lock held.
 */
public interface EvictionPolicy {
  /**
   * Records a hit. Many threads call it at once without a lock, also for an evicted block or a new
   * block in the same entry. It may only write {@link BlockEntries#policyWord}, with races. It
   * should not write an equal value, because every core reads a hot block's cache line.
   */
  void recordHit(int entry);

  /**
   * Adds a block, whose entry's key and length are set.
   *
   * @param inMemory whether it belongs to a column family with IN_MEMORY set
   */
  void add(int entry, boolean inMemory);

  /**
   * Removes a block that was not chosen by {@link #evict}, for example because its file was
   * deleted.
   */
  void remove(int entry);

  /**
   * Chooses a block to evict and removes it; a ghost entry may remain.
   *
   * @param evictable returns whether no thread reads a block; has no side effect and is called for
   *     a limited number of blocks
   * @return the block, or {@link BlockEntries#NONE} if no examined block may be evicted
   */
  int evict(IntPredicate evictable);

  /** Sets another size of the cache, in bytes for blocks. */
  void resize(long bytes);

  /** Returns the policy's own bytes off the heap. */
  long metadataBytes();

  /** Returns the blocks that were evicted from the window. */
  long rejected();

  /** Returns the blocks that were evicted from the main part. */
  long evictedFromMain();

  /** Returns the evicted blocks of in-memory families. */
  long evictedInMemory();

  /**
   * Checks all state.
   *
   * @throws IllegalStateException if anything is inconsistent
   */
  void validate();

  /** Makes a policy. */
  @FunctionalInterface
  interface Factory {
    /**
     * Makes a policy for an empty cache.
     *
     * @param entries with the policy's fields: queue, previous, next and word
     * @param bytes for blocks
     * @param inMemoryShare the part of them for in-memory families
     */
    EvictionPolicy create(
        BlockEntries entries, long bytes, double inMemoryShare, MemoryAllocator allocator);
  }
}
