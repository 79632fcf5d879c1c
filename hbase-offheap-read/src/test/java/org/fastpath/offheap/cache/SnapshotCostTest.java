package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.fastpath.offheap.store.BlockStore;
import org.junit.jupiter.api.Test;

/**
 * A snapshot of the cache's numbers makes as many objects with many blocks as with few; {@code
 * BlockStoreTest} shows that the only number that looks at blocks looks at a bounded number of
 * them.
 */
class SnapshotCostTest {
  private static final int FEW = 10;
  private static final int MANY = 20_000;
  private static final int SNAPSHOTS = 200;

  private static OffHeapBlockCache cache(int blocks) {
    Configuration conf = new Configuration(false);
    conf.set(CacheOptions.SIZE, "32m");
    conf.set(CacheOptions.AVERAGE_BLOCK_SIZE, "1024");
    OffHeapBlockCache cache = OffHeapBlockCache.create(conf);
    for (int i = 0; i < blocks; i++) {
      cache.cacheBlock(new BlockCacheKey("file", i), TestBlocks.heap(1, i, 600));
    }
    assertThat(cache.getBlockCount()).isEqualTo(blocks);
    return cache;
  }

  /** A cache with files of one block each, all of one region. */
  private static OffHeapBlockCache files(int files) {
    OffHeapBlockCache cache = cache(0);
    for (int i = 0; i < files; i++) {
      Path path = new Path("/hbase/data/default/table/region/f/file" + i);
      BlockCacheKey key = new BlockCacheKey(path, 0, true, BlockType.DATA);
      cache.cacheBlock(key, TestBlocks.heap(1, 0, 600));
      cache.notifyFileCachingCompleted(path, 1, 1, 600);
    }
    assertThat(cache.fileCount()).isEqualTo(files);
    return cache;
  }

  private static long regionBytes(OffHeapBlockCache cache) {
    return cache.getRegionCachedInfo().orElseThrow().getOrDefault("region", 0L);
  }

  /** Returns all that the metrics and HBase's page ask a cache for. */
  private static List<LongSupplier> numbers(OffHeapBlockCache cache) {
    BlockStore store = cache.store();
    return List.of(
        store::blocks,
        store::bytes,
        store::dataBlocks,
        store::dataBytes,
        store::evicted,
        store::heldBytes,
        store::pinnedBytes,
        store::metadataBytes,
        store.policy()::rejected,
        store.policy()::evictedFromMain,
        store.policy()::evictedInMemory,
        cache.extents()::capacity,
        cache.extents()::freeBytes,
        cache.extents()::overheadBytes,
        cache.getStats()::getHitCount,
        cache.getStats()::getMissCount,
        cache::heapSize,
        cache::getFreeSize,
        cache::getCurrentSize);
  }

  private static long allocated(OffHeapBlockCache cache) {
    return allocated(numbers(cache));
  }

  private static long allocated(List<LongSupplier> numbers) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (int warmUp = 0; warmUp < SNAPSHOTS; warmUp++) {
      sum += snapshot(numbers);
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < SNAPSHOTS; i++) {
      sum += snapshot(numbers);
    }
    long bytes = (threads.getCurrentThreadAllocatedBytes() - before) / SNAPSHOTS;
    assertThat(sum).isPositive();
    return bytes;
  }

  private static long snapshot(List<LongSupplier> numbers) {
    long sum = 0;
    for (int i = 0; i < numbers.size(); i++) {
      sum += numbers.get(i).getAsLong();
    }
    return sum;
  }

  @Test
  void aSnapshotAllocatesAsMuchForManyBlocksAsForFew() {
    OffHeapBlockCache few = cache(FEW);
    OffHeapBlockCache many = cache(MANY);
    long of = allocated(few);
    assertThat(allocated(many)).isBetween(0L, of + 64);
    assertThat(of).isLessThan(1024);
    few.shutdown();
    many.shutdown();
  }

  /** HBase asks once for each region and heartbeat. */
  @Test
  void theBytesOfARegionCostAsMuchForManyFilesAsForFew() {
    OffHeapBlockCache few = files(FEW);
    OffHeapBlockCache many = files(MANY);
    long of = allocated(List.of(() -> regionBytes(few)));
    assertThat(allocated(List.of(() -> regionBytes(many)))).isBetween(0L, of + 64);
    assertThat(of).isLessThan(256);
    few.shutdown();
    many.shutdown();
  }
}
