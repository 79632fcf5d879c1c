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
 *   <li>A block is looked for first where blocks of its type are, with one look-up, and in the
 *       other level only if it is not there. HBase asks the first level for every data block, and
 *       looks up an index twice.
 *   <li>A miss is counted once. HBase asks again under a lock before it reads a block, says so by
 *       {@code repeat}, and counts both.
 * </ul>
 *
 * <p>Thread-safe. It owns both caches: {@link #shutdown} ends them.
 */
public final class OffHeapCombinedBlockCache extends CombinedBlockCache {
  private final Runnable onShutdown;

  /**
   * @param onShutdown what ends together with the caches
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
      // A key that was made without a type says that it is of data.
      block = other.getBlock(key, caching, repeat, false);
      counting = block == null ? counting : other;
    }
    if (updateCacheMetrics) {
      count(counting, key, caching, repeat, block != null);
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

  /** How many read a data block; HBase asks a {@code BucketCache} only. */
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
