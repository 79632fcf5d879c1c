package org.fastpath.bench.jmh.offheap;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.bench.engine.parts.Blocks;
import org.fastpath.bench.engine.parts.CacheVariant;
import org.fastpath.bench.engine.parts.Filler;
import org.fastpath.bench.jmh.Sides;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Caches new blocks in a full cache, so each insert evicts another block. An operation is a block
 * that can be read. BucketCache drops blocks if its queues are full; they are offered again until
 * it takes them ({@link Filler}). Its writer threads copy the blocks. If there are not more
 * processors than threads, they compete as in a RegionServer.
 *
 * <p>Caffeine keeps a block on the heap without a copy. For it, the operation includes the array
 * that a reader would have allocated and filled.
 *
 * <p>{@code bin/fastpath bench ChurnBenchmark --millis 1000 --rounds 6}
 */
@Sides.Subset(quick = {"source=direct", "blocks=64 KB"})
public class ChurnBenchmark extends CacheBenchmark {
  private static final long CAPACITY = 256L << 20;

  private static final int TURNS = 2;

  private static final int[] EQUAL = {64 << 10};
  private static final int[] MIXED = {
    64 << 10, 5 << 10, 66 << 10, 20 << 10, 64 << 10, 130 << 10, 33 << 10, 256 << 10
  };

  /** More blocks than a core's second-level cache holds, like blocks that were just read. */
  private static final int SOURCES = 32;

  @Param({"bucket-cache", "caffeine", "before", "ours"})
  public String cache;

  @Param({"heap", "direct"})
  public String source;

  /** Blocks of one size, or of 5 to 256 KB. */
  @Param({"64 KB", "mixed"})
  public String blocks;

  @Param({"1", "2"})
  public int threads;

  private Filler filler;

  /** Blocks of one thread. */
  @State(Scope.Thread)
  public static class Source {
    private static final long FILES_PER_THREAD = 1L << 40;

    private final ByteBuffer[] bytes = new ByteBuffer[SOURCES];
    private boolean copied;
    private Blocks.Keys keys;
    private int next;

    /** Creates the blocks, and fills the cache with them. */
    @Setup
    public void setUp(ChurnBenchmark benchmark, ThreadParams thread) {
      int[] sizes = benchmark.blocks.equals("mixed") ? MIXED : EQUAL;
      for (int i = 0; i < SOURCES; i++) {
        bytes[i] = Blocks.bytes(sizes[i % sizes.length], benchmark.source.equals("direct"));
      }
      copied =
          benchmark.cache.equals(CacheVariant.CAFFEINE.id()) && benchmark.source.equals("heap");
      keys = new Blocks.Keys((thread.getThreadIndex() + 1) * FILES_PER_THREAD, 1 << 20);
      for (long filled = 0; filled < TURNS * CAPACITY / thread.getThreadCount(); ) {
        filled += benchmark.cacheBlock(this);
      }
    }

    private HFileBlock block(long offset) {
      next = (next + 1) % SOURCES;
      return Blocks.over(copied ? copy(bytes[next]) : bytes[next], offset);
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
      return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
    }
  }

  @Setup
  public void setUp() {
    create(cache, CAPACITY);
    filler = new Filler(target);
  }

  /** Checks that blocks are in the cache and that it has evicted, then frees its memory. */
  @TearDown
  public void tearDown() {
    if (target.getStats().getEvictedCount() == 0 || target.getBlockCount() == 0) {
      throw new IllegalStateException(cache + " did not evict: " + target.getStats());
    }
    target.shutdown();
  }

  /** Caches the thread's next block until it can be read; returns its size. */
  @Benchmark
  public int cacheBlock(Source source) {
    BlockCacheKey key = source.keys.next();
    HFileBlock block = source.block(key.getOffset());
    int size = block.getSerializedLength();
    filler.insert(key, block);
    block.release();
    return size;
  }
}
