package org.fastpath.offheap.cache;

import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;
import org.fastpath.offheap.store.BlockStore;
import org.fastpath.offheap.store.RejectReason;

/** Makes caches for tests of readers, and looks at what readers hold of them. */
public final class ReaderCaches {
  private static final int SMALL = 5000;

  private ReaderCaches() {}

  /**
   * Returns the caches of a RegionServer.
   *
   * @param debug whether freed memory is overwritten and readers are accounted for; blocks then are
   *     read by their keys only
   */
  public static CombinedBlockCache create(
      Configuration conf, FirstLevelBlockCache first, boolean debug) {
    Configuration own = new Configuration(conf);
    own.setBoolean(CacheOptions.DEBUG, debug);
    return new OffHeapCombinedBlockCache(first, OffHeapBlockCache.create(own), () -> {});
  }

  /** In debug mode, and with free memory in holes of few KB, so that larger blocks are in parts. */
  public static CombinedBlockCache fragmented(
      Configuration conf, FirstLevelBlockCache first, SplittableRandom random) {
    CombinedBlockCache cache = create(conf, first, true);
    OffHeapBlockCache second = second(cache);
    long blocks = second.getMaxSize() / SMALL;
    for (long i = 0; i < blocks; i++) {
      second.cacheBlock(key(i), TestBlocks.heap(1, i, random.nextInt(SMALL, 2 * SMALL)));
    }
    for (long i = 0; i < blocks; i += 2) {
      second.evictBlock(key(i));
    }
    return cache;
  }

  private static BlockCacheKey key(long number) {
    return new BlockCacheKey("filler", number);
  }

  private static OffHeapBlockCache second(CombinedBlockCache cache) {
    return (OffHeapBlockCache) cache.getBlockCaches()[1];
  }

  /** Returns where each block was taken that was not given back; for caches in debug mode. */
  public static List<Throwable> holders(CombinedBlockCache cache) {
    return second(cache).leaks();
  }

  /** Returns how often the cache rejected a block for another reason than room. */
  public static long failures(CombinedBlockCache cache) {
    return second(cache).metrics().rejections(RejectReason.FAILED);
  }

  /** Returns the count of blocks that HBase read and cached again although they were cached. */
  public static long readAgain(CombinedBlockCache cache) {
    return second(cache).metrics().rejections(RejectReason.PRESENT);
  }

  /** Bytes of blocks that readers took and did not give back. */
  public static long heldBytes(CombinedBlockCache cache) {
    BlockStore store = second(cache).store();
    store.reclaim();
    return store.pinnedBytes();
  }
}
