package org.fastpath.bench.workloads.caches;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.conf.ConfigurationObserver;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.parts.Blocks;
import org.fastpath.bench.engine.parts.CacheVariant;

/**
 * Measures {@code cacheBlock} while the cache grows by some gigabytes. Memory is reserved and
 * zeroed, and the index is rebuilt.
 *
 * <p>One thread caches a block of 4 KB every 20 µs in a full cache of such blocks. It starts to
 * enlarge the cache and continues until the end. If a call is slow, the blocks that are due
 * meanwhile count as late. So a long stall has its weight.
 *
 * <p>See {@link Paced} for the control. A second distribution leaves out the thread's waits for a
 * processor. On few processors these include the time that the cache's own thread takes.
 */
final class GrowthStall implements Lines.Probe {
  static final String MEGABYTES = "megabytes";

  private static final int BLOCK = 4 << 10;
  private static final long CAPACITY = 512L << 20;
  private static final long PACE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

  /** Blocks before the measurement, in multiples of the cache's content. */
  private static final int FILLINGS = 2;

  private final Histogram running = new Histogram(Paced.DIGITS);
  private final ByteBuffer source = Blocks.bytes(BLOCK, true);
  private final Blocks.Keys keys = new Blocks.Keys(1, BLOCK);

  @Override
  public void measure(Map<String, String> params, Lines.Sink sink) throws IOException {
    CacheVariant variant = CacheVariant.valueOf(params.get(BlockCaches.CACHE));
    BlockCache cache = variant.createForSmallBlocks(CAPACITY, BLOCK);
    long bytes = CAPACITY + (Long.parseLong(params.get(MEGABYTES)) << 20);
    try (QueueTime waits = new QueueTime()) {
      measure(cache, bytes, waits, sink);
    }
    cache.shutdown();
  }

  private void measure(BlockCache cache, long bytes, QueueTime waits, Lines.Sink sink) {
    for (long i = 0; i < FILLINGS * CAPACITY / BLOCK; i++) {
      insert(cache, waits);
    }
    Paced inserts = new Paced(PACE_NANOS, () -> insert(cache, waits));
    long warm = System.nanoTime() + WARM_UP_NANOS;
    inserts.until(() -> System.nanoTime() > warm, true);
    inserts.forget();
    running.reset();
    long begin = System.nanoTime();
    ((ConfigurationObserver) cache).onConfigurationChange(CacheVariant.configuration(bytes));
    inserts.until(() -> hasGrown(cache, bytes, begin + PATIENCE_NANOS), true);
    sink.figure("block-cache.growth.seconds", "s", (System.nanoTime() - begin) / 1e9);
    inserts.report(sink, "block-cache.growth");
    Paced.report(sink, "block-cache.growth.running", running);
  }

  private static boolean hasGrown(BlockCache cache, long bytes, long deadline) {
    if (System.nanoTime() > deadline) {
      throw new IllegalStateException("the cache did not grow: " + cache.getMaxSize());
    }
    return cache.getMaxSize() == bytes;
  }

  private long insert(BlockCache cache, QueueTime waits) {
    BlockCacheKey key = keys.next();
    HFileBlock block = Blocks.over(source, key.getOffset());
    long before = waits.nanos();
    long begin = System.nanoTime();
    cache.cacheBlock(key, block, false);
    long nanos = System.nanoTime() - begin;
    long waited = waits.nanos() - before;
    running.recordValueWithExpectedInterval(Math.max(0, nanos - waited), PACE_NANOS);
    block.release();
    return nanos;
  }
}
