package org.fastpath.offheap.policy;

import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * The frequencies of evicted blocks: stored at eviction, read when the block comes back. They are
 * off the heap, with four bytes per block in buckets of one cache line. So a miss costs one cache
 * line; a sketch of four rows would cost four.
 *
 * <pre>
 *  bits 31..18 : mark of the block, 14 bits of its hash, never 0 with the rest
 *  bits 17..8  : its frequency when it left, in sixteenths ({@link Frequency})
 *  bits  7..0  : the period in which it left, modulo 256
 * </pre>
 *
 * <p>A full bucket drops the block with the lowest current frequency, the oldest of several. So
 * blocks of a scan displace each other, not frequent ones. Once in a thousand cases, two blocks of
 * a bucket share a mark; then they share a frequency.
 *
 * <p>There are at most 2^33 ghost entries, four for each of 2^31 blocks. Memory is allocated in
 * slabs of 256 KiB on demand, so no eviction waits for the zeroing of gigabytes. If a slab cannot
 * be allocated, its entries are dropped, and a later block tries again.
 *
 * <p>Guarded by the cache's lock.
 */
final class GhostEntries {
  private static final int SLOTS = 16;
  private static final int BUCKET_BYTES = 64;
  private static final int SLOT_BYTES = 4;
  private static final int MARK_SHIFT = 18;
  private static final int FREQUENCY_SHIFT = 8;
  private static final int FREQUENCY_MASK = 0x3FF;
  private static final int PERIOD_MASK = 0xFF;

  private static final long NONE = -1;
  private static final long MAX_BUCKETS = 1L << 29;
  private static final int SLAB_SHIFT = 12;

  /** Dropped entries before a failed allocation of a slab is retried. */
  private static final int PATIENCE = 1 << 16;

  private final MemoryAllocator allocator;
  private final Memory[] slabs;
  private final long bucketMask;
  private long slabBytes;
  private int failedAllocations;

  /**
   * Makes an empty table.
   *
   * @param blocks number of entries; rounded up to a power of two
   */
  GhostEntries(long blocks, MemoryAllocator allocator) {
    long buckets = Math.max(1, Long.highestOneBit(Math.max(1, blocks / SLOTS) * 2 - 1));
    buckets = Math.min(buckets, MAX_BUCKETS);
    this.allocator = allocator;
    slabs = new Memory[(int) Math.max(1, buckets >>> SLAB_SHIFT)];
    bucketMask = buckets - 1L;
  }

  long capacity() {
    return (bucketMask + 1) * SLOTS;
  }

  long bytes() {
    return slabBytes;
  }

  /** Adds an evicted block with its frequency. */
  void remember(long hash, int frequency, int period) {
    Memory slab = slabToWrite(hash);
    if (slab != null) {
      slab.putInt(
          slotFor(slab, hash, period),
          mark(hash) << MARK_SHIFT
              | Math.min(frequency, FREQUENCY_MASK) << FREQUENCY_SHIFT
              | period & PERIOD_MASK);
    }
  }

  /** Returns the current frequency of a block that comes back, and removes its entry. */
  int recall(long hash, int period) {
    Memory slab = slabs[slabOf(hash)];
    long slot = slab == null ? NONE : find(slab, hash);
    if (slot == NONE) {
      return 0;
    }
    int ghost = slab.getInt(slot);
    slab.putInt(slot, 0);
    return frequency(ghost, period);
  }

  private int slabOf(long hash) {
    return (int) ((hash & bucketMask) >>> SLAB_SHIFT);
  }

  private Memory slabToWrite(long hash) {
    int number = slabOf(hash);
    if (slabs[number] == null && failedAllocations-- <= 0) {
      try {
        long bytes = Math.min(bucketMask + 1, 1L << SLAB_SHIFT) * BUCKET_BYTES;
        slabs[number] = allocator.allocate(bytes);
        slabBytes += bytes;
        failedAllocations = 0;
      } catch (OutOfMemoryError e) {
        // Fewer entries only lower the hit ratio; each retry asks the JVM for its use of memory.
        failedAllocations = PATIENCE;
      }
    }
    return slabs[number];
  }

  /** Returns the block's own slot, or {@link #NONE}. */
  private long find(Memory slab, long hash) {
    long bucket = bucket(hash);
    int mark = mark(hash);
    for (int i = 0; i < SLOTS; i++) {
      long slot = bucket + i * SLOT_BYTES;
      if (slab.getInt(slot) >>> MARK_SHIFT == mark) {
        return slot;
      }
    }
    return NONE;
  }

  /** Returns the block's own slot, otherwise the one with the least value. */
  private long slotFor(Memory slab, long hash, int period) {
    long own = find(slab, hash);
    if (own != NONE) {
      return own;
    }
    long bucket = bucket(hash);
    long cheapest = bucket;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < SLOTS; i++) {
      long slot = bucket + i * SLOT_BYTES;
      int worth = worth(slab.getInt(slot), period);
      if (worth < least) {
        least = worth;
        cheapest = slot;
      }
    }
    return cheapest;
  }

  private static int worth(int ghost, int period) {
    if (ghost == 0) {
      return -1;
    }
    return frequency(ghost, period) << 8 | PERIOD_MASK - age(ghost, period);
  }

  private static int frequency(int ghost, int period) {
    return Frequency.aged(ghost >>> FREQUENCY_SHIFT & FREQUENCY_MASK, age(ghost, period));
  }

  private static int age(int ghost, int period) {
    return period - ghost & PERIOD_MASK;
  }

  /** Returns the offset of a bucket in its slab. */
  private long bucket(long hash) {
    return (hash & bucketMask & (1 << SLAB_SHIFT) - 1) * BUCKET_BYTES;
  }

  /** Returns the mark, never zero, which stands for an empty slot. */
  private static int mark(long hash) {
    int mark = (int) (hash >>> 64 - (32 - MARK_SHIFT));
    return mark == 0 ? 1 : mark;
  }
}
