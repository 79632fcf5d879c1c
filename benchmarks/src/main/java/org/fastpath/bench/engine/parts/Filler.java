package org.fastpath.bench.engine.parts;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hbase.thirdparty.com.google.common.collect.Iterators;

/**
 * Inserts blocks into a cache so that they can be read. BucketCache drops a block if its writer's
 * queue is full, and only a counter of failed inserts shows it. A dropped block is offered again.
 * So each counted insert is a readable block. Thread-safe.
 */
public final class Filler {
  private static final long TAKE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private final BlockCache cache;

  public Filler(BlockCache cache) {
    this.cache = cache;
  }

  /** Offers the block until the cache takes it. */
  public void insert(BlockCacheKey key, HFileBlock block) {
    long deadline = System.nanoTime() + TAKE_NANOS;
    while (true) {
      long failedBefore = cache.getStats().getFailedInserts();
      cache.cacheBlock(key, block, false);
      if (cache.getStats().getFailedInserts() == failedBefore || isReadable(key)) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the cache refuses " + key + ": " + cache.getStats());
      }
      Thread.yield();
    }
  }

  /** Checks the block itself, because the failed insert may be another thread's. */
  private boolean isReadable(BlockCacheKey key) {
    Cacheable block = cache.getBlock(key, false, true, false);
    if (block == null) {
      return false;
    }
    block.release();
    return true;
  }

  /** Waits until all queued blocks are written and all surplus blocks are evicted. */
  public void settle() {
    if (cache instanceof FirstLevelBlockCache caffeine) {
      // Caffeine evicts in tasks of a pool, and holds some hundred surplus blocks until they have
      // run. A call that sets the limit, even an equal one, counts and evicts all of them.
      caffeine.setMaxSize(caffeine.getMaxSize());
      if (!ForkJoinPool.commonPool().awaitQuiescence(SETTLE_NANOS, TimeUnit.NANOSECONDS)) {
        throw new IllegalStateException("the cache is still evicting: " + caffeine.getStats());
      }
    }
    long deadline = System.nanoTime() + SETTLE_NANOS;
    while (listed() < cache.getBlockCount()) {
      if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException(
            cache.getBlockCount() + " blocks are cached, but " + listed() + " are listed");
      }
      LockSupport.parkNanos(20_000_000);
    }
  }

  private long listed() {
    return Iterators.size(cache.iterator());
  }
}
