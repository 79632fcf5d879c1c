package org.fastpath.offheap.cache;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.fastpath.offheap.memory.CacheMemory;
import org.fastpath.offheap.store.RejectReason;

/** The caches of a RegionServer, of which the off-heap one is small. */
public final class JoinedCache implements AutoCloseable {
  private static final long FIRST_LEVEL_BYTES = 4 << 20;
  private static final int BLOCK_BYTES = 4 << 10;

  private final Configuration conf;
  private final OffHeapBlockCache second;
  private final BlockCache both;

  /**
   * @param debug whether freed memory is overwritten and readers are accounted for
   */
  public JoinedCache(Configuration given, String size, boolean debug) {
    conf = new Configuration(given);
    conf.set(CacheMemory.SIZE_KEY, size);
    conf.set(CacheOptions.AVERAGE_BLOCK_SIZE, "4k");
    conf.setBoolean(CacheOptions.DEBUG, debug);
    conf.setBoolean("hbase.fastpath.offheap-reader.enabled", true);
    second = OffHeapBlockCache.create(conf);
    both =
        new OffHeapCombinedBlockCache(
            new LruBlockCache(FIRST_LEVEL_BYTES, BLOCK_BYTES), second, () -> {});
  }

  public BlockCache both() {
    return both;
  }

  public void resize(String size) {
    conf.set(CacheMemory.SIZE_KEY, size);
    second.onConfigurationChange(conf);
  }

  public long dataBlocks() {
    return second.getDataBlockCount();
  }

  public boolean has(String file, long offset) {
    return second.isAlreadyCached(new BlockCacheKey(file, offset, true, BlockType.DATA)).get();
  }

  public long hits() {
    return second.getStats().getHitCount();
  }

  /** Blocks that were not cached because a mapping holds them. */
  public long heldElsewhere() {
    return second.metrics().rejections(RejectReason.HELD_ELSEWHERE);
  }

  /** Where each block was taken that was not given back, in debug mode. */
  public List<Throwable> leaks() {
    return second.leaks();
  }

  @Override
  public void close() {
    both.shutdown();
    second.close();
  }
}
