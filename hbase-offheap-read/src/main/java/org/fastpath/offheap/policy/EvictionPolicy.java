package org.fastpath.offheap.policy;

import java.util.function.IntPredicate;
import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * Says which block leaves when room is needed. It knows blocks by the numbers of their {@link
 * BlockEntries} and keeps what it needs in the fields of an entry that are its own, and off the
 * heap.
 *
 * <p>Every method but {@link #recordHit} is called with the cache's lock held.
 */
public interface EvictionPolicy {
  /**
   * A reader found this block. Called without a lock by many threads at once, also for a block that
   * is leaving or has just been replaced by another in the same entry: it may only write {@link
   * BlockEntries#policyWord}, racily, and should not write it when nothing changes, because a hot
   * block's cache line is read by every core.
   */
  void recordHit(int entry);

  /**
   * A block came in. Its entry's key and length are set.
   *
   * @param inMemory whether it belongs to a column family with IN_MEMORY set
   */
  void add(int entry, boolean inMemory);

  /** A block left for another reason than {@link #evict}: its file was deleted, for example. */
  void remove(int entry);

  /**
   * Chooses a block to leave and forgets it (but for what it remembers of blocks that are gone).
   *
   * @param evictable whether a block may leave now: no thread reads it. A question that changes
   *     nothing, asked for a bounded number of blocks; a hot block that is being read is passed
   *     over.
   * @return the block, or {@link BlockEntries#NONE} if none of those looked at may leave
   */
  int evict(IntPredicate evictable);

  /** The cache has another size now: bytes that blocks may take. */
  void resize(long bytes);

  /** Bytes off the heap that the policy itself takes. */
  long metadataBytes();

  /** Blocks that left without having got past the window. */
  long rejected();

  /** Blocks that left the main part. */
  long evictedFromMain();

  /** Blocks of in-memory families that had to leave. */
  long evictedInMemory();

  /**
   * Goes through everything.
   *
   * @throws IllegalStateException if anything does not agree with anything else
   */
  void validate();

  /** Makes a policy. */
  @FunctionalInterface
  interface Factory {
    /**
     * Makes one for an empty cache.
     *
     * @param entries of which it uses queue, previous, next and the policy's word
     * @param bytes that blocks may take
     * @param inMemoryShare the part of them in which blocks of in-memory families are kept
     */
    EvictionPolicy create(
        BlockEntries entries, long bytes, double inMemoryShare, MemoryAllocator allocator);
  }
}
