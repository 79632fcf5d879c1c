package org.fastpath.offheap.policy;

import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * How often blocks that are not cached were read: remembered when a block leaves, asked when it
 * comes back. Off the heap, four bytes a block, in buckets of one cache line, so that a miss costs
 * one line where a sketch of four rows costs four.
 *
 * <pre>
 *  bits 31..18 : mark of the block, 14 bits of its hash, never 0 with the rest
 *  bits 17..8  : its frequency when it left, in sixteenths ({@link Frequency})
 *  bits  7..0  : the period in which it left, modulo 256
 * </pre>
 *
 * <p>A bucket that is full forgets the block whose frequency is the lowest by now, the oldest of
 * several: a scan's blocks displace each other, not those that were read often. Two blocks of a
 * bucket share a mark once in a thousand times; one of them then seems as frequent as the other.
 *
 * <p>There are at most 2^33 ghosts, which are four for each of 2^31 blocks. Their memory comes in
 * slabs of 256 KiB when the first ghost of a slab is remembered, so that no eviction waits for the
 * zeroing of gigabytes. If a slab cannot be had, its ghosts are not remembered, and a later block
 * tries again.
 *
 * <p>For use under the cache's lock.
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
  private static final long MOST_BUCKETS = 1L << 29;
  private static final int SLAB_SHIFT = 12;

  /** Ghosts that are forgotten before a slab is asked for again that could not be had. */
  private static final int PATIENCE = 1 << 16;

  private final MemoryAllocator allocator;
  private final Memory[] slabs;
  private final long bucketMask;
  private long slabBytes;
  private int refusals;

  /**
   * Remembers nothing yet.
   *
   * @param blocks how many to remember; rounded up to a power of two
   */
  GhostEntries(long blocks, MemoryAllocator allocator) {
    long buckets = Math.max(1, Long.highestOneBit(Math.max(1, blocks / SLOTS) * 2 - 1));
    buckets = Math.min(buckets, MOST_BUCKETS);
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

  /** A block left with this frequency. */
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

  /** The frequency of a block that comes back, by now; it is no ghost any more. */
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
    if (slabs[number] == null && refusals-- <= 0) {
      try {
        long bytes = Math.min(bucketMask + 1, 1L << SLAB_SHIFT) * BUCKET_BYTES;
        slabs[number] = allocator.allocate(bytes);
        slabBytes += bytes;
        refusals = 0;
      } catch (OutOfMemoryError e) {
        // Fewer ghosts are a lower hit ratio; to try again costs a collection each time.
        refusals = PATIENCE;
      }
    }
    return slabs[number];
  }

  /** The block's own slot, or {@link #NONE}. */
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

  /** The block's own slot, else the one that is worth least. */
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

  /** The place of a bucket in its slab. */
  private long bucket(long hash) {
    return (hash & bucketMask & (1 << SLAB_SHIFT) - 1) * BUCKET_BYTES;
  }

  /** Never zero, which is an empty slot. */
  private static int mark(long hash) {
    int mark = (int) (hash >>> 64 - (32 - MARK_SHIFT));
    return mark == 0 ? 1 : mark;
  }
}
