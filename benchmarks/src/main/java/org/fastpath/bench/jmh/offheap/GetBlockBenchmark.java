package org.fastpath.bench.jmh.offheap;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.engine.parts.Blocks;
import org.fastpath.bench.engine.parts.CacheVariant;
import org.fastpath.bench.engine.parts.Filler;
import org.fastpath.bench.jmh.Variants;
import org.fastpath.bench.jmh.Worlds;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Gets a block of 64 KB from the cache and releases it, like the get of a row. Every get is a hit.
 * Keys are created before, so only the cache's allocations are measured.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar GetBlockBenchmark --millis 1000 --rounds 6 --out get.json --report get.html
 * </pre>
 */
@Worlds(World.OFF_HEAP)
@Variants(
    param = "cache",
    candidate = "ours",
    legend = {
      "bucket-cache=HBase's BucketCache: offheap and default settings",
      "caffeine=blocks on the heap: HBase's TinyLfuBlockCache over Caffeine",
      "ours=OffHeapBlockCache with default settings",
      "before=OffHeapBlockCache of an earlier build, which --before names"
    })
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class GetBlockBenchmark {
  private static final int BLOCK = 64 << 10;
  private static final int BLOCKS = 4096;

  /** The bytes for all blocks: BucketCache evicts at 95 %. */
  private static final long CAPACITY = 384L << 20;

  /** A power of two. */
  private static final int SEQUENCE = 1 << 14;

  /** The cache. */
  @Param({"bucket-cache", "caffeine", "before", "ours"})
  public String cache;

  /** Random blocks with equal frequencies, or always the same one. */
  @Param({"uniform", "one-hot"})
  public String access;

  /** One thread, and the processors of a small machine. */
  @Param({"1", "2"})
  public int threads;

  private final BlockCacheKey[] keys = new BlockCacheKey[BLOCKS];
  private BlockCache blocks;

  /** The keys that a thread requests. */
  @State(Scope.Thread)
  public static class Sequence {
    private final BlockCacheKey[] keys = new BlockCacheKey[SEQUENCE];
    private int next;

    /** Gives each thread its own order. */
    @Setup
    public void setUp(GetBlockBenchmark benchmark, ThreadParams thread) {
      Random random = new Random(thread.getThreadIndex());
      boolean hot = benchmark.access.equals("one-hot");
      for (int i = 0; i < SEQUENCE; i++) {
        keys[i] = benchmark.keys[hot ? 0 : random.nextInt(BLOCKS)];
      }
    }

    BlockCacheKey advance() {
      next = (next + 1) & (SEQUENCE - 1);
      return keys[next];
    }
  }

  /** Fills the cache, and checks that every block can be read and is the right one. */
  @Setup
  public void setUp() {
    World.confirmCurrent();
    blocks = CacheVariant.of(cache).create(CAPACITY);
    Filler filler = new Filler(blocks);
    Blocks.Keys names = new Blocks.Keys(1, BLOCK);
    for (int i = 0; i < BLOCKS; i++) {
      keys[i] = names.next();
      // On the heap each block has its own array, like after a read.
      filler.insert(keys[i], Blocks.over(Blocks.bytes(BLOCK, false), keys[i].getOffset()));
    }
    filler.settle();
    ByteBuffer expected = Blocks.bytes(BLOCK, false);
    for (BlockCacheKey key : keys) {
      requireReadable(key, expected);
    }
  }

  private void requireReadable(BlockCacheKey key, ByteBuffer expected) {
    HFileBlock block = (HFileBlock) blocks.getBlock(key, true, false, false);
    if (block == null
        || block.getOffset() != key.getOffset()
        || block.getBufferReadOnly().getLong(BLOCK / 2) != expected.getLong(BLOCK / 2)) {
      throw new IllegalStateException(cache + " does not hold " + key);
    }
    block.release();
  }

  /** Frees the cache's memory. */
  @TearDown
  public void tearDown() {
    blocks.shutdown();
  }

  /** Gets a block, reads it and releases it. */
  @Benchmark
  public int getBlock(Sequence sequence) {
    Cacheable block = blocks.getBlock(sequence.advance(), true, false, true);
    int size = block.getSerializedLength();
    block.release();
    return size;
  }
}
