package org.fastpath.offheap.cache;

import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;

/**
 * The server's own first level for indexes and Bloom filters, and the off-heap cache for data
 * blocks. It differs from HBase's combination in two ways.
 *
 * <ul>
 *   <li>A look-up begins at the level of the block's type and asks the other level only after a
 *       miss. HBase asks the first level for every data block, and looks up an index twice.
 *   <li>A miss is counted once. HBase asks again under a lock before it reads a block, with {@code
 *       repeat} set, and counts both.
 * </ul>
 *
 * <p>Thread-safe. It owns both caches: {@link #shutdown} ends them.
 */
public final class OffHeapCombinedBlockCache extends CombinedBlockCache {
  private final Runnable onShutdown;

  /**
   * @param onShutdown runs at the end of the caches
   */
  OffHeapCombinedBlockCache(
      FirstLevelBlockCache first, OffHeapBlockCache second, Runnable onShutdown) {
    super(first, second);
    this.onShutdown = onShutdown;
  }

  @Override
  public Cacheable getBlock(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    BlockType type = key.getBlockType();
    boolean data = type != null && type.isData();
    BlockCache likely = data ? l2Cache : l1Cache;
    BlockCache other = data ? l1Cache : l2Cache;
    BlockCache counting = type == null ? l2Cache : likely;
    Cacheable block = likely.getBlock(key, caching, repeat, false);
    if (block != null) {
      counting = likely;
    } else {
      // A key without a type looks like one of data.
      block = other.getBlock(key, caching, repeat, false);
      counting = block == null ? counting : other;
    }
    boolean given = false;
    try {
      if (updateCacheMetrics) {
        count(counting, key, caching, repeat, block != null);
      }
      given = true;
    } finally {
      if (!given && block != null) {
        block.release();
      }
    }
    return block;
  }

  private static void count(
      BlockCache cache, BlockCacheKey key, boolean caching, boolean repeat, boolean hit) {
    if (hit) {
      cache.getStats().hit(caching, key.isPrimary(), key.getBlockType());
    } else if (!repeat) {
      cache.getStats().miss(caching, key.isPrimary(), key.getBlockType());
    }
  }

  /** Returns the number of readers of a data block. HBase asks only a {@code BucketCache}. */
  @Override
  public int getRpcRefCount(BlockCacheKey key) {
    return ((OffHeapBlockCache) l2Cache).readers(key);
  }

  @Override
  public void shutdown() {
    super.shutdown();
    onShutdown.run();
  }
}
