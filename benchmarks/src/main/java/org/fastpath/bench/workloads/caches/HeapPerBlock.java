package org.fastpath.bench.workloads.caches;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.parts.Blocks;
import org.fastpath.bench.engine.parts.CacheVariant;
import org.fastpath.bench.engine.parts.Filler;

/**
 * Measures heap per cached block: the heap in use with a full cache less the heap in use without
 * it, both after a garbage collection. Blocks are small, 1 KB, a thousand in a file. The heap for a
 * block does not depend on its size. For a cache on the heap, the blocks' own bytes are subtracted.
 *
 * <p>It measures once after filling, and once after each block was read. A read makes BucketCache
 * keep a lock for the block.
 */
final class HeapPerBlock implements Lines.Probe {
  static final String BLOCKS = "blocks";

  private static final int BLOCK = 1 << 10;
  private static final int CAPACITY_PER_BLOCK = 2560;
  private static final int COLLECTIONS = 4;
  private static final long LARGEST_MISSING = 50;

  @Override
  public void measure(Map<String, String> params, Lines.Sink sink) {
    CacheVariant variant = CacheVariant.valueOf(params.get(BlockCaches.CACHE));
    int blocks = Integer.parseInt(params.get(BLOCKS));
    ByteBuffer bytes = Blocks.bytes(BLOCK, variant != CacheVariant.CAFFEINE);
    long before = usedAfterCollection();
    BlockCache cache = variant.createForSmallBlocks((long) blocks * CAPACITY_PER_BLOCK, BLOCK);
    int size = fill(cache, blocks, bytes, variant == CacheVariant.CAFFEINE);
    long own = variant == CacheVariant.CAFFEINE ? size : 0;
    sink.figure("block-cache.heap.filled", "B/block", perBlock(cache, before) - own);
    read(cache, blocks);
    sink.figure("block-cache.heap.read", "B/block", perBlock(cache, before) - own);
    sink.figure("block-cache.heap.blocks", "blocks", cache.getBlockCount());
    // Keeps the cache reachable until the measurement.
    cache.shutdown();
  }

  private static int fill(BlockCache cache, int blocks, ByteBuffer bytes, boolean copied) {
    Filler filler = new Filler(cache);
    Blocks.Keys keys = new Blocks.Keys(1, BLOCK);
    int size = 0;
    for (int i = 0; i < blocks; i++) {
      BlockCacheKey key = keys.next();
      ByteBuffer own =
          copied ? ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip() : bytes;
      HFileBlock block = Blocks.over(own, key.getOffset());
      size = block.getSerializedLength();
      filler.insert(key, block);
      block.release();
    }
    filler.settle();
    return size;
  }

  private static void read(BlockCache cache, int blocks) {
    Blocks.Keys keys = new Blocks.Keys(1, BLOCK);
    int missing = 0;
    for (int i = 0; i < blocks; i++) {
      Cacheable block = cache.getBlock(keys.next(), true, false, true);
      if (block == null) {
        missing++;
      } else {
        block.release();
      }
    }
    if (missing > blocks / LARGEST_MISSING) {
      throw new IllegalStateException(missing + " of " + blocks + " blocks are not in the cache");
    }
  }

  private static double perBlock(BlockCache cache, long before) {
    return (usedAfterCollection() - before) / (double) cache.getBlockCount();
  }

  private static long usedAfterCollection() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
