package org.fastpath.offheap.policy;

import java.util.Arrays;
import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.index.KeyHash;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * What each {@link Tuning} would do with the reads of this cache: a {@link MiniatureCache} for
 * each, which sees the blocks of which a hash has some bits zero, and is smaller by the same factor
 * (miniature simulation [2]). A cache of any size is sampled so that about two thousand blocks are
 * left: what that costs in memory does not grow with the cache, what it costs in time falls.
 *
 * <p>For use under the cache's lock, but for {@link #samples}.
 */
final class MiniatureSimulation {
  /** Half of them to all, when the sampling is chosen; a factor of two more before it changes. */
  private static final int BLOCKS = 2_048;

  private static final int NOTHING = -1;

  private final TuningContest contest = new TuningContest();
  private MiniatureCache[] caches = {};
  private final MemoryAllocator allocator;
  private BlockEntries entries;
  private boolean mayStart = true;
  private long capacity;
  private int shift;

  /** The bits that are zero in a sampled hash. Racy: that a read is sampled or not is no matter. */
  private int mask = NOTHING;

  MiniatureSimulation(MemoryAllocator allocator) {
    this.allocator = allocator;
    entries = new BlockEntries(0, allocator);
  }

  /** Whether reads of this block count, by its {@link KeyHash}; for any thread. */
  boolean samples(long hash) {
    return ((int) (hash >>> 32) & mask) == 0;
  }

  /** The cache has this size. */
  void capacity(long bytes) {
    capacity = bytes;
    for (MiniatureCache cache : caches) {
      cache.capacity(bytes >> shift);
    }
  }

  /** The cache is full when it has so many blocks: begins, or samples others if it should. */
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
          new BlockEntries(MiniatureCache.MOST_BLOCKS * Tuning.values().length, allocator);
      keys.free(keys.allocate());
      caches =
          Arrays.stream(Tuning.values())
              .map(tuning -> new MiniatureCache(keys, tuning, allocator))
              .toArray(MiniatureCache[]::new);
      entries = keys;
      sample(blocks);
    } catch (OutOfMemoryError e) {
      // The tuning stays what it is; trying again would cost a collection each time.
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

  /** A block was read; counts if it is sampled. */
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

  /** The tuning that is best by now. */
  Tuning decide() {
    contest.decide();
    return contest.winner();
  }

  long bytes() {
    return entries.bytes() + Arrays.stream(caches).mapToLong(MiniatureCache::metadataBytes).sum();
  }

  /** Goes through everything; for tests. */
  void validate() {
    int found = Arrays.stream(caches).mapToInt(MiniatureCache::validate).sum();
    if (found != entries.inUse()) {
      throw new IllegalStateException(
          "%d keys in caches, %d counted".formatted(found, entries.inUse()));
    }
  }
}
