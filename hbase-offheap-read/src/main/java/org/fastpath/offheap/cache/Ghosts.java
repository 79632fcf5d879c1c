package org.fastpath.offheap.cache;

import java.nio.ByteBuffer;

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
 * several: a scan's blocks displace each other, not what was read often. Two blocks of a bucket
 * share a mark once in a thousand times; one of them then seems as frequent as the other.
 *
 * <p>For use under the cache's lock.
 */
final class Ghosts {
  private static final int SLOTS = 16;
  private static final int BUCKET_BYTES = 64;
  private static final int SLOT_BYTES = 4;
  private static final int MARK_SHIFT = 18;
  private static final int FREQUENCY_SHIFT = 8;
  private static final int FREQUENCY_MASK = 0x3FF;
  private static final int PERIOD_MASK = 0xFF;

  private final ByteBuffer memory;
  private final long address;
  private final long bucketMask;

  /**
   * @param blocks how many to remember; rounded up to a power of two
   */
  Ghosts(int blocks) {
    int buckets = Math.max(1, Integer.highestOneBit(Math.max(1, blocks / SLOTS) * 2 - 1));
    buckets = Math.min(buckets, 1 << 24);
    memory = OffHeap.allocate(buckets * BUCKET_BYTES);
    address = OffHeap.address(memory);
    bucketMask = buckets - 1L;
  }

  int capacity() {
    return (int) (bucketMask + 1) * SLOTS;
  }

  long bytes() {
    return memory.capacity();
  }

  /** A block left with this frequency. */
  void remember(long hash, int frequency, int period) {
    long slot = slotFor(hash, period);
    OffHeap.putInt(
        slot,
        mark(hash) << MARK_SHIFT
            | Math.min(frequency, FREQUENCY_MASK) << FREQUENCY_SHIFT
            | period & PERIOD_MASK);
  }

  /** The frequency of a block that comes back, by now; it is no ghost any more. */
  int recall(long hash, int period) {
    long slot = find(hash);
    if (slot == 0) {
      return 0;
    }
    int ghost = OffHeap.getInt(slot);
    OffHeap.putInt(slot, 0);
    return frequency(ghost, period);
  }

  private long find(long hash) {
    long bucket = bucket(hash);
    int mark = mark(hash);
    for (int i = 0; i < SLOTS; i++) {
      long slot = bucket + i * SLOT_BYTES;
      if (OffHeap.getInt(slot) >>> MARK_SHIFT == mark) {
        return slot;
      }
    }
    return 0;
  }

  /** The block's own slot, else the one that is worth least. */
  private long slotFor(long hash, int period) {
    long own = find(hash);
    if (own != 0) {
      return own;
    }
    long bucket = bucket(hash);
    long cheapest = bucket;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < SLOTS; i++) {
      long slot = bucket + i * SLOT_BYTES;
      int worth = worth(OffHeap.getInt(slot), period);
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

  private long bucket(long hash) {
    return address + (hash & bucketMask) * BUCKET_BYTES;
  }

  /** Never zero, which is an empty slot. */
  private static int mark(long hash) {
    int mark = (int) (hash >>> 64 - (32 - MARK_SHIFT));
    return mark == 0 ? 1 : mark;
  }
}
