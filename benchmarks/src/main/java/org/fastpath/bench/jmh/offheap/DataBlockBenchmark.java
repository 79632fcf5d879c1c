package org.fastpath.bench.jmh.offheap;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.engine.parts.Blocks;
import org.fastpath.bench.engine.parts.CacheVariant;
import org.fastpath.bench.engine.parts.Filler;
import org.fastpath.bench.jmh.Variants;
import org.fastpath.bench.jmh.Worlds;
import org.fastpath.offheap.reader.DataBlockSource;
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
 * Gets a block by file and offset, like the off-heap reader, and releases it. Every get is a hit.
 * One, two and four threads read one hot block or many blocks. With {@code --before JAR}, an
 * earlier build of the jar is a variant.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar DataBlockBenchmark --millis 500 --rounds 6 --cpu --before OLD.jar --out data.json --report data.html
 * </pre>
 */
@Worlds(World.OFF_HEAP)
@Variants(
    param = "cache",
    candidate = "ours",
    legend = {
      "ours=OffHeapBlockCache with default settings",
      "before=OffHeapBlockCache of an earlier build, which --before names"
    })
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class DataBlockBenchmark {
  private static final int BLOCK = 64 << 10;
  private static final int BLOCKS = 4096;
  private static final long CAPACITY = 384L << 20;

  /** A power of two. */
  private static final int SEQUENCE = 1 << 14;

  /** The build. */
  @Param({"before", "ours"})
  public String cache;

  /** Random blocks with equal frequencies, or always the same one. */
  @Param({"uniform", "one-hot"})
  public String access;

  /** One thread, the processors of a small machine, and more. */
  @Param({"1", "2", "4"})
  public int threads;

  private final BlockCacheKey[] keys = new BlockCacheKey[BLOCKS];
  private BlockCache blocks;
  private DataBlockSource source;

  /** The blocks that a thread requests. */
  @State(Scope.Thread)
  public static class Sequence {
    private final String[] files = new String[SEQUENCE];
    private final long[] offsets = new long[SEQUENCE];
    private int next;

    /** Gives each thread its own order. */
    @Setup
    public void setUp(DataBlockBenchmark benchmark, ThreadParams thread) {
      Random random = new Random(thread.getThreadIndex());
      boolean hot = benchmark.access.equals("one-hot");
      for (int i = 0; i < SEQUENCE; i++) {
        BlockCacheKey key = benchmark.keys[hot ? 0 : random.nextInt(BLOCKS)];
        files[i] = key.getHfileName();
        offsets[i] = key.getOffset();
      }
    }
  }

  /** Fills the cache. */
  @Setup
  public void setUp() {
    World.confirmCurrent();
    blocks = CacheVariant.of(cache).create(CAPACITY);
    source = DataBlockSource.in(blocks);
    Filler filler = new Filler(blocks);
    Blocks.Keys names = new Blocks.Keys(1, BLOCK);
    ByteBuffer bytes = Blocks.bytes(BLOCK, true);
    for (int i = 0; i < BLOCKS; i++) {
      keys[i] = names.next();
      filler.insert(keys[i], Blocks.over(bytes, keys[i].getOffset()));
    }
  }

  /** Checks that each block was a hit, then frees the memory. */
  @TearDown
  public void tearDown() {
    if (blocks.getBlockCount() != BLOCKS) {
      throw new IllegalStateException(blocks.getBlockCount() + " blocks are left of " + BLOCKS);
    }
    blocks.shutdown();
  }

  /** Gets a block, reads it and releases it. */
  @Benchmark
  public long dataBlock(Sequence sequence) {
    int next = sequence.next = (sequence.next + 1) & (SEQUENCE - 1);
    HFileBlock block = source.dataBlock(sequence.files[next], sequence.offsets[next], true, true);
    long offset = block.getOffset();
    block.release();
    return offset;
  }
}
