package org.fastpath.offheap.policy;

import java.util.Arrays;
import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.index.KeyHash;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * Simulates each {@link Tuning} on the reads of this cache, by a {@link MiniatureCache} for each.
 * It samples the blocks whose hash has some zero bits, and is smaller by the same factor (paper 2
 * of {@link AdaptiveLfuPolicy}). About two thousand blocks are sampled in a cache of any size. So
 * the memory is constant, and the relative time falls with the size.
 *
 * <p>Guarded by the cache's lock, except {@link #samples}.
 */
final class MiniatureSimulation {
  /**
   * The target number of sampled blocks, between half and twice of it before the sampling changes.
   */
  private static final int BLOCKS = 2_048;

  private static final int NOTHING = -1;

  private final TuningContest contest = new TuningContest();
  private MiniatureCache[] caches = {};
  private final MemoryAllocator allocator;
  private BlockEntries entries;
  private boolean mayStart = true;
  private long capacity;
  private int shift;

  /** The zero bits of a sampled hash. Races are harmless: a single read does not matter. */
  private int mask = NOTHING;

  MiniatureSimulation(MemoryAllocator allocator) {
    this.allocator = allocator;
    entries = new BlockEntries(0, allocator);
  }

  /** Returns whether reads of this block are sampled, by its {@link KeyHash}. Thread-safe. */
  boolean samples(long hash) {
    return ((int) (hash >>> 32) & mask) == 0;
  }

  /** Sets the size of the cache. */
  void capacity(long bytes) {
    capacity = bytes;
    for (MiniatureCache cache : caches) {
      cache.capacity(bytes >> shift);
    }
  }

  /**
   * Adapts to the number of blocks of a full cache: begins the simulation or changes the sampling.
   */
  void fit(int blocks) {
    int sampled = blocks >> shift;
    if (mask == NOTHING) {
      start(blocks);
    } else if (sampled > 2 * BLOCKS || sampled < BLOCKS / 4 && shift > 0) {
      contest.restart();
      for (MiniatureCache cache : caches) {
        cache.clear();
      }
      sample(blocks);
    }
  }

  private void start(int blocks) {
    if (!mayStart) {
      return;
    }
    try {
      BlockEntries keys =
          new BlockEntries(MiniatureCache.MAX_BLOCKS * Tuning.values().length, allocator);
      keys.free(keys.allocate());
      caches =
          Arrays.stream(Tuning.values())
              .map(tuning -> new MiniatureCache(keys, tuning, allocator))
              .toArray(MiniatureCache[]::new);
      entries = keys;
      sample(blocks);
    } catch (OutOfMemoryError e) {
      // The tuning stays; each retry would cost a garbage collection.
      mayStart = false;
    }
  }

  private void sample(int blocks) {
    shift = 0;
    while (blocks >> shift > BLOCKS) {
      shift++;
    }
    mask = (1 << shift) - 1;
    capacity(capacity);
  }

  /** Records a read, if its block is sampled. */
  void read(int file, long offset, int length) {
    if (samples(KeyHash.of(file, offset))) {
      for (MiniatureCache cache : caches) {
        if (!cache.read(file, offset, length)) {
          contest.missed(cache.tuning());
        }
      }
    }
  }

  /** There is no such block any more. */
  void remove(int file, long offset) {
    if (samples(KeyHash.of(file, offset))) {
      for (MiniatureCache cache : caches) {
        cache.remove(file, offset);
      }
    }
  }

  /** Returns the currently best tuning. */
  Tuning decide() {
    contest.decide();
    return contest.winner();
  }

  long bytes() {
    return entries.bytes() + Arrays.stream(caches).mapToLong(MiniatureCache::metadataBytes).sum();
  }

  /** Checks all state; for tests. */
  void validate() {
    int found = Arrays.stream(caches).mapToInt(MiniatureCache::validate).sum();
    if (found != entries.inUse()) {
      throw new IllegalStateException(
          "%d keys in caches, %d counted".formatted(found, entries.inUse()));
    }
  }
}
