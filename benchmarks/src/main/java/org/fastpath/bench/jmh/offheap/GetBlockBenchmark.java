package org.fastpath.bench.jmh.offheap;

import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Gets a block of 64 KB from the cache and releases it, like the get of a row. Every get is a hit.
 * Keys are created before, so only the cache's allocations are measured.
 *
 * <p>{@code bin/fastpath bench GetBlockBenchmark --millis 1000 --rounds 6}
 */
public class GetBlockBenchmark extends HitBenchmark {
  @Param({"bucket-cache", "caffeine", "before", "ours"})
  public String cache;

  @Param({"1", "2"})
  public int threads;

  @Setup
  public void setUp() {
    fill(cache);
  }

  @Benchmark
  public int getBlock(Sequence sequence) {
    Cacheable block = target.getBlock(sequence.keys[sequence.advance()], true, false, true);
    int size = block.getSerializedLength();
    block.release();
    return size;
  }
}
