package org.fastpath.bench.jmh.offheap;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.engine.parts.CacheVariant;
import org.fastpath.bench.jmh.Sides;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A benchmark of block caches, whose parameter {@code cache} names the compared one. */
@Sides.Worlds(World.OFF_HEAP)
@Sides.Variants(
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
public abstract class CacheBenchmark {
  BlockCache target;

  /** Creates the cache in its world. */
  final void create(String variant, long bytes) {
    World.confirmCurrent();
    target = CacheVariant.of(variant).create(bytes);
  }
}
