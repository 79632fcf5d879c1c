package org.fastpath.offheap.index;

import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * Buckets of one cache line, in which {@link BlockTable} finds the number of a block's entry.
 *
 * <pre>
 *  bucket: eight slots of 64 bits
 *
 *   63                            32 31                             0
 *  +--------------------------------+--------------------------------+
 *  | tag: upper half of the hash    | number of the entry, plus one  |   0: an empty slot
 *  +--------------------------------+--------------------------------+
 * </pre>
 *
 * <p>A key belongs into one of two buckets and goes into the emptier one. With four of eight slots
 * in use on average, a pair of full buckets does not happen. There are at most 2^29 buckets, for
 * 2^31 - 1 blocks, in slabs of 64 MiB.
 *
 * <p>Reading is thread-safe. All other methods need the cache's lock.
 */
final class BucketIndex {
  static final int BUCKET_BYTES = 8 * Long.BYTES;

  private static final int MAX_LOAD = 4;
  private static final int SLAB_SHIFT = 20;
  private static final long TAG = 0xFFFFFFFF00000000L;

  private final Memory[] slabs;
  private final int mask;

  /**
   * Makes empty buckets for so many entries.
   *
   * @throws OutOfMemoryError if the memory is not available
   */
  BucketIndex(int entries, MemoryAllocator allocator) {
    int buckets = buckets(entries);
    mask = buckets - 1;
    int inSlab = Math.min(buckets, 1 << SLAB_SHIFT);
    slabs = new Memory[buckets / inSlab];
    for (int i = 0; i < slabs.length; i++) {
      slabs[i] = allocator.allocate((long) inSlab * BUCKET_BYTES);
    }
  }

  private static int buckets(int entries) {
    return Integer.highestOneBit(Math.max(1, (entries - 1) / MAX_LOAD)) << 1;
  }

  /** Returns whether there are enough buckets for so many entries. */
  boolean isFor(int entries) {
    return buckets(entries) <= buckets();
  }

  int buckets() {
    return mask + 1;
  }

  long bytes() {
    return (mask + 1L) * BUCKET_BYTES;
  }

  int first(long hash) {
    return (int) hash & mask;
  }

  int second(long hash) {
    return (int) (hash * 0x9E3779B97F4A7C15L >>> 32) & mask;
  }

  Memory slab(int bucket) {
    return slabs[bucket >>> SLAB_SHIFT];
  }

  /** Returns the place of a bucket in its slab. */
  static long at(int bucket) {
    return (long) (bucket & (1 << SLAB_SHIFT) - 1) * BUCKET_BYTES;
  }

  /** Returns whether a slot may be of the key with this hash. */
  static boolean matches(long slot, long hash) {
    return ((slot ^ hash) & TAG) == 0 && slot != 0;
  }

  static int entry(long slot) {
    return (int) slot - 1;
  }

  private static long slot(long hash, int entry) {
    return hash & TAG | (entry + 1);
  }

  /**
   * Adds an entry that is not there.
   *
   * @return false if both buckets are full
   */
  boolean insert(long hash, int entry) {
    int bucket = emptier(first(hash), second(hash));
    long place = find(bucket, 0);
    if (place < 0) {
      return false;
    }
    slab(bucket).putLongVolatile(place, slot(hash, entry));
    return true;
  }

  boolean contains(long hash, int entry) {
    long slot = slot(hash, entry);
    return find(first(hash), slot) >= 0 || find(second(hash), slot) >= 0;
  }

  void remove(long hash, int entry) {
    long slot = slot(hash, entry);
    if (!clear(first(hash), slot)) {
      clear(second(hash), slot);
    }
  }

  private boolean clear(int bucket, long slot) {
    long place = find(bucket, slot);
    if (place >= 0) {
      slab(bucket).putLongVolatile(place, 0);
    }
    return place >= 0;
  }

  private int emptier(int a, int b) {
    return used(b) < used(a) ? b : a;
  }

  /** Returns the number of used slots of a bucket. */
  int used(int bucket) {
    Memory slab = slab(bucket);
    long at = at(bucket);
    int used = 0;
    for (int i = 0; i < BUCKET_BYTES; i += Long.BYTES) {
      used += slab.getLong(at + i) == 0 ? 0 : 1;
    }
    return used;
  }

  /** Returns the place of a slot in the bucket's slab, or -1. */
  private long find(int bucket, long slot) {
    Memory slab = slab(bucket);
    long at = at(bucket);
    for (int i = 0; i < BUCKET_BYTES; i += Long.BYTES) {
      if (slab.getLong(at + i) == slot) {
        return at + i;
      }
    }
    return -1;
  }
}
