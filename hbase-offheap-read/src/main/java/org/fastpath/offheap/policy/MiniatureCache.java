package org.fastpath.offheap.policy;

import static org.fastpath.offheap.index.BlockEntries.NONE;

import java.util.function.IntPredicate;
import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.index.KeyHash;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * A cache of keys and lengths without blocks, which simulates the whole cache with a {@link
 * Tuning}; see {@link MiniatureSimulation}.
 *
 * <p>A hash table with chains finds keys. The links are the fields for the blocks of a file in a
 * real cache. Guarded by the cache's lock.
 */
final class MiniatureCache {
  /** The maximum number of keys. */
  static final int MAX_BLOCKS = 1 << 14;

  private static final int BUCKETS = 1 << 12;
  private static final IntPredicate ANY = entry -> true;

  private final BlockEntries entries;
  private final Tuning tuning;
  private final LfuSegment segment;
  private final Memory buckets;
  private long capacity;
  private long reads;

  /**
   * @param entries with room for {@link #MAX_BLOCKS}; other caches of keys may share it
   */
  MiniatureCache(BlockEntries entries, Tuning tuning, MemoryAllocator allocator) {
    this.entries = entries;
    this.tuning = tuning;
    segment = new LfuSegment(entries, tuning, allocator);
    buckets = allocator.allocate((long) BUCKETS * Integer.BYTES);
    buckets.fill(0, buckets.bytes(), (byte) NONE);
  }

  Tuning tuning() {
    return tuning;
  }

  void capacity(long bytes) {
    capacity = bytes;
    segment.capacity(bytes);
  }

  /**
   * Reads a block, which is cached from now on.
   *
   * @return whether it was cached before
   */
  boolean read(int file, long offset, int length) {
    reads++;
    int entry = find(file, offset);
    if (entry != NONE) {
      segment.recordHit(entries.slab(entry), entry);
      return true;
    }
    segment.advance(reads);
    while (!hasRoomFor(length)) {
      unlink(segment.evict(ANY, LfuSegment.Returns.NONE));
    }
    add(file, offset, length);
    return false;
  }

  private boolean hasRoomFor(int length) {
    boolean fits = segment.bytes() + length <= capacity && segment.blocks() < MAX_BLOCKS;
    return fits || segment.blocks() == 0;
  }

  private void add(int file, long offset, int length) {
    int entry = entries.allocate();
    entries.key(entry, file, offset);
    entries.length(entry, length);
    long bucket = bucket(file, offset);
    entries.fileNext(entry, buckets.getInt(bucket));
    buckets.putInt(bucket, entry);
    segment.add(entry);
  }

  /** Removes a block. */
  void remove(int file, long offset) {
    int entry = find(file, offset);
    if (entry != NONE) {
      segment.remove(entry);
      unlink(entry);
    }
  }

  void clear() {
    while (segment.blocks() > 0) {
      unlink(segment.evict(ANY, LfuSegment.Returns.NONE));
    }
  }

  private int find(int file, long offset) {
    int entry = buckets.getInt(bucket(file, offset));
    while (entry != NONE && (entries.offset(entry) != offset || entries.file(entry) != file)) {
      entry = entries.fileNext(entry);
    }
    return entry;
  }

  private void unlink(int entry) {
    long bucket = bucket(entries.file(entry), entries.offset(entry));
    int next = entries.fileNext(entry);
    int previous = buckets.getInt(bucket);
    if (previous == entry) {
      buckets.putInt(bucket, next);
    } else {
      while (entries.fileNext(previous) != entry) {
        previous = entries.fileNext(previous);
      }
      entries.fileNext(previous, next);
    }
    entries.free(entry);
  }

  private long bucket(int file, long offset) {
    return (KeyHash.of(file, offset) & BUCKETS - 1) * Integer.BYTES;
  }

  /** Checks all lists and sums and returns the number of keys. */
  int validate() {
    int found = segment.validate();
    for (int i = 0; i < BUCKETS; i++) {
      int entry = buckets.getInt((long) i * Integer.BYTES);
      for (; entry != NONE; entry = entries.fileNext(entry)) {
        found--;
      }
    }
    if (found != 0) {
      throw new IllegalStateException("%d keys more in lists than in chains".formatted(found));
    }
    return segment.blocks();
  }

  /** Returns the bytes off the heap, except for its entries. */
  long metadataBytes() {
    return buckets.bytes() + segment.metadataBytes();
  }
}
