package org.fastpath.bench.workloads.caches;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
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
 * <p>Machines stall too. After each block, the same thread measures an empty operation as a
 * control. A second distribution leaves out the thread's waits for a processor. On few processors
 * these include the time that the cache's own thread takes.
 */
final class GrowthStall implements Probe {
  static final String MEGABYTES = "megabytes";

  private static final int BLOCK = 4 << 10;
  private static final long CAPACITY = 512L << 20;
  private static final long PACE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

  /** Blocks before the measurement, in multiples of the cache's content. */
  private static final int FILLINGS = 2;

  private static final int DIGITS = 3;

  @Override
  public void measure(CacheVariant variant, Map<String, String> params, Lines.Sink sink) {
    BlockCache cache = variant.createForSmallBlocks(CAPACITY, BLOCK);
    long bytes = CAPACITY + (Long.parseLong(params.get(MEGABYTES)) << 20);
    try (QueueTime waits = new QueueTime()) {
      measure(cache, bytes, new Writer(cache, waits), sink);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cache.shutdown();
  }

  private static void measure(BlockCache cache, long bytes, Writer writer, Lines.Sink sink) {
    for (long i = 0; i < FILLINGS * CAPACITY / BLOCK; i++) {
      writer.insert();
    }
    writer.forget();
    long begin = System.nanoTime();
    ((ConfigurationObserver) cache).onConfigurationChange(CacheVariant.configuration(bytes));
    writer.insertUntil(() -> cache.getMaxSize() == bytes);
    sink.figure("block-cache.growth.seconds", "s", (System.nanoTime() - begin) / 1e9);
    Percentiles.report(sink, "block-cache.growth", writer.inserts);
    Percentiles.report(sink, "block-cache.growth.running", writer.running);
    Percentiles.report(sink, "block-cache.growth.nothing", writer.nothing);
  }

  private static final class Writer {
    private final BlockCache cache;
    private final ByteBuffer bytes = Blocks.bytes(BLOCK, true);
    private final Blocks.Keys keys = new Blocks.Keys(1, BLOCK);
    private final Histogram inserts = new Histogram(DIGITS);
    private final Histogram running = new Histogram(DIGITS);
    private final Histogram nothing = new Histogram(DIGITS);
    private final QueueTime waits;

    Writer(BlockCache cache, QueueTime waits) {
      this.cache = cache;
      this.waits = waits;
    }

    void insertUntil(BooleanSupplier done) {
      long next = System.nanoTime();
      for (long end = next + PATIENCE_NANOS; !done.getAsBoolean(); next += PACE_NANOS) {
        if (next > end) {
          throw new IllegalStateException("the cache did not grow: " + cache.getMaxSize());
        }
        next = Math.max(next, System.nanoTime() - PACE_NANOS);
        while (System.nanoTime() < next) {
          Thread.onSpinWait();
        }
        insert();
      }
    }

    void insert() {
      BlockCacheKey key = keys.next();
      HFileBlock block = Blocks.over(bytes, key.getOffset());
      long before = waits.nanos();
      long begin = System.nanoTime();
      cache.cacheBlock(key, block, false);
      long end = System.nanoTime();
      long waited = waits.nanos() - before;
      long again = System.nanoTime();
      nothing.recordValueWithExpectedInterval(System.nanoTime() - again, PACE_NANOS);
      inserts.recordValueWithExpectedInterval(end - begin, PACE_NANOS);
      running.recordValueWithExpectedInterval(Math.max(0, end - begin - waited), PACE_NANOS);
      block.release();
    }

    void forget() {
      inserts.reset();
      running.reset();
      nothing.reset();
    }
  }
}
