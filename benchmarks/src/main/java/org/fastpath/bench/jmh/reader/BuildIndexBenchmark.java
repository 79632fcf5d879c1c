package org.fastpath.bench.jmh.reader;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.engine.parts.WrittenBlocks;
import org.fastpath.bench.jmh.Sides;
import org.fastpath.offheap.cache.OffHeapBlockCache;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Caches a block of 64 KB of a written file, with and without an index for the off-heap reader, and
 * evicts it.
 *
 * <p>{@code bin/fastpath bench BuildIndexBenchmark --millis 500 --rounds 6}
 */
@Sides.Worlds(World.OFF_HEAP)
@Sides.Variants(
    param = "index",
    candidate = "built",
    legend = {"none=a block is cached as it is", "built=it gets an index"})
@Sides.Subset(quick = {"values=100,1000", "columns=1", "encoding=NONE"})
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BuildIndexBenchmark {
  private static final long CAPACITY = 64L << 20;

  /** Far more bytes than a core's second-level cache, and not more blocks than a pool holds. */
  private static final long FILE = 16L << 20;

  @Param({"none", "built"})
  public String index;

  @Param({"NONE", "FAST_DIFF", "ROW_INDEX_V1"})
  public String encoding;

  @Param({"100", "1000", "10000"})
  public int values;

  @Param({"1", "10"})
  public int columns;

  /** The memory of a block after the read: heap, or the RPC server's buffers. */
  @Param({"heap", "pooled"})
  public String memory;

  List<HFileBlock> blocks;
  private BlockCacheKey[] keys;
  private OffHeapBlockCache cache;
  private int next;

  @Setup
  public void setUp() throws IOException {
    World.confirmCurrent();
    Configuration configuration = HBaseConfiguration.create();
    boolean heap = memory.equals("heap");
    ByteBuffAllocator allocator =
        heap ? ByteBuffAllocator.HEAP : ByteBuffAllocator.create(configuration, true);
    RowFile.Shape shape =
        new RowFile.Shape(
            RowFile.Keys.YCSB, columns, values, DataBlockEncoding.valueOf(encoding), FILE);
    try (RowFile file = new RowFile(shape);
        HFile.Reader reader = file.open(new CacheConfig(configuration, null, null, allocator))) {
      blocks = WrittenBlocks.read(reader, false, heap);
    }
    keys =
        blocks.stream()
            .map(at -> new BlockCacheKey("file", at.getOffset(), true, at.getBlockType()))
            .toArray(BlockCacheKey[]::new);
    configuration.setLong(CachedRows.SIZE, CAPACITY);
    configuration.setBoolean(CachedRows.READER, index.equals("built"));
    cache = OffHeapBlockCache.create(configuration);
  }

  @TearDown
  public void tearDown() {
    blocks.forEach(HFileBlock::release);
    cache.shutdown();
  }

  /** Caches the next block and evicts it; fails if it was not cached. */
  @Benchmark
  public void cache() {
    next = next + 1 == keys.length ? 0 : next + 1;
    cache.cacheBlock(keys[next], blocks.get(next), false);
    if (!cache.evictBlock(keys[next])) {
      throw new IllegalStateException(keys[next] + " was not cached");
    }
  }
}
