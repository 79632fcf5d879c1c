package org.fastpath.bench.jmh.offheap;

import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.fastpath.bench.jmh.Sides.Variants;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Gets a block of 64 KB from the cache and releases it, like the get of a row. Every get is a hit.
 * Keys are created before, so only the cache's allocations are measured.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar GetBlockBenchmark --millis 1000 --rounds 6 --out get.json --report get.html
 * </pre>
 */
@Variants(
    param = "cache",
    candidate = "ours",
    legend = {
      "bucket-cache=HBase's BucketCache: offheap and default settings",
      "caffeine=blocks on the heap: HBase's TinyLfuBlockCache over Caffeine",
      "ours=OffHeapBlockCache with default settings",
      "before=OffHeapBlockCache of an earlier build, which --before names"
    })
public class GetBlockBenchmark extends HitBenchmark {
  /** The cache. */
  @Param({"bucket-cache", "caffeine", "before", "ours"})
  public String cache;

  /** One thread, and the processors of a small machine. */
  @Param({"1", "2"})
  public int threads;

  /** Fills the cache. */
  @Setup
  public void setUp() {
    fill(cache);
  }

  /** Gets a block, reads it and releases it. */
  @Benchmark
  public int getBlock(Sequence sequence) {
    Cacheable block = blocks.getBlock(sequence.keys[sequence.advance()], true, false, true);
    int size = block.getSerializedLength();
    block.release();
    return size;
  }
}
