package org.fastpath.bench.jmh.offheap;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.bench.engine.parts.Blocks;
import org.fastpath.bench.engine.parts.Filler;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.ThreadParams;

/** A cache that holds all blocks of 64 KB, so every get is a hit. Keys exist before the gets. */
public abstract class HitBenchmark extends CacheBenchmark {
  private static final int BLOCK = 64 << 10;
  private static final int BLOCKS = 4096;

  /** The bytes for all blocks: BucketCache evicts at 95 %. */
  private static final long CAPACITY = 384L << 20;

  private static final BlockCacheKey[] KEYS = new BlockCacheKey[BLOCKS];

  static {
    Blocks.Keys names = new Blocks.Keys(1, BLOCK);
    Arrays.setAll(KEYS, i -> names.next());
  }

  /** The blocks that a thread requests. */
  @State(Scope.Thread)
  public static class Sequence {
    private static final int LENGTH = 1 << 14;

    /** Random blocks with equal frequencies, or always the same one. */
    @Param({"uniform", "one-hot"})
    public String access;

    final BlockCacheKey[] keys = new BlockCacheKey[LENGTH];

    /** Files and offsets of the keys, for a get that needs no key and must not load one. */
    final String[] files = new String[LENGTH];

    final long[] offsets = new long[LENGTH];
    private int next;

    /** Gives each thread its own order. */
    @Setup
    public void setUp(ThreadParams thread) {
      Random random = new Random(thread.getThreadIndex());
      for (int i = 0; i < LENGTH; i++) {
        keys[i] = KEYS[access.equals("one-hot") ? 0 : random.nextInt(BLOCKS)];
        files[i] = keys[i].getHfileName();
        offsets[i] = keys[i].getOffset();
      }
    }

    int advance() {
      next = (next + 1) & (LENGTH - 1);
      return next;
    }
  }

  /** Fills the cache, and checks that every block can be read and is the right one. */
  final void fill(String variant) {
    create(variant, CAPACITY);
    Filler filler = new Filler(target);
    for (BlockCacheKey key : KEYS) {
      // On the heap each block has its own array, like after a read.
      filler.insert(key, Blocks.over(Blocks.bytes(BLOCK, false), key.getOffset()));
    }
    filler.settle();
    ByteBuffer expected = Blocks.bytes(BLOCK, false);
    for (BlockCacheKey key : KEYS) {
      HFileBlock block = (HFileBlock) target.getBlock(key, true, false, false);
      if (block == null
          || block.getOffset() != key.getOffset()
          || block.getBufferReadOnly().getLong(BLOCK / 2) != expected.getLong(BLOCK / 2)) {
        throw new IllegalStateException(variant + " does not hold " + key);
      }
      block.release();
    }
  }

  /** Checks that each get was a hit, then frees the memory. */
  @TearDown
  public void tearDown() {
    if (target.getBlockCount() != BLOCKS) {
      throw new IllegalStateException(target.getBlockCount() + " blocks are left of " + BLOCKS);
    }
    target.shutdown();
  }
}
