package org.fastpath.bench.workloads.caches;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.parts.Blocks;
import org.fastpath.bench.engine.parts.CacheVariant;

/**
 * Measures the longest wait of one reader for a cached block. Meanwhile a writer inserts new blocks
 * so fast that the cache is replaced several times a second.
 *
 * <p>The reader requests a block of 64 KB every 50 µs, spins in between, and times {@code getBlock}
 * and {@code release}. It requests few blocks often, so they stay. An evicted one is cached again,
 * untimed, and counted. Inserts have the same fixed rate for all caches. A dropped insert is not
 * repeated, so a slow cache does not get less work, and a fast one not more.
 *
 * <p>Machines stall too. After each read, the same thread measures an empty operation. Its longest
 * time is caused by the scheduler and the garbage collector, and no cache can be better.
 */
final class ReaderStall implements Probe {
  static final String SECONDS = "seconds";
  static final String INSERTS = "inserts/s";

  private static final int BLOCK = 64 << 10;
  private static final long CAPACITY = 256L << 20;
  private static final int READ_BLOCKS = 64;
  private static final int SOURCES = 32;
  private static final long PACE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  /** The longest delay after which a writer catches up. */
  private static final long BACKLOG_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long WARM_UP_SECONDS = 5;
  private static final int DIGITS = 3;
  private static final long SEED = 42;

  @Override
  public void measure(CacheVariant variant, Map<String, String> params, Lines.Sink sink) {
    BlockCache cache = variant.create(CAPACITY);
    AtomicBoolean stop = new AtomicBoolean();
    Writer writer = new Writer(cache, Long.parseLong(params.get(INSERTS)), stop);
    Thread thread = new Thread(writer, "writer");
    thread.start();
    Reader reader = new Reader(cache);
    long seconds = Long.parseLong(params.get(SECONDS));
    reader.read(Math.min(WARM_UP_SECONDS, seconds));
    reader.forget();
    long before = inserted(writer, cache);
    reader.read(seconds);
    stop.set(true);
    join(thread);
    reader.report(sink);
    sink.figure(
        "block-cache.stall.inserted",
        "blocks/s",
        (inserted(writer, cache) - before) / (double) seconds);
    sink.figure(
        "block-cache.stall.misses", "%", 100.0 * reader.misses / reader.reads.getTotalCount());
    cache.shutdown();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Returns the inserted blocks; BucketCache counts those that it dropped. */
  private static long inserted(Writer writer, BlockCache cache) {
    return writer.offered - cache.getStats().getFailedInserts();
  }

  private static final class Reader {
    private final BlockCache cache;
    private final BlockCacheKey[] keys = new BlockCacheKey[READ_BLOCKS];
    private final ByteBuffer bytes = Blocks.bytes(BLOCK, true);
    private final Random random = new Random(SEED);
    private final Histogram reads = new Histogram(DIGITS);
    private final Histogram nothing = new Histogram(DIGITS);
    private long misses;

    Reader(BlockCache cache) {
      this.cache = cache;
      Blocks.Keys names = new Blocks.Keys(1, BLOCK);
      for (int i = 0; i < READ_BLOCKS; i++) {
        keys[i] = names.next();
        insert(keys[i]);
      }
    }

    private void insert(BlockCacheKey key) {
      HFileBlock block = Blocks.over(bytes, key.getOffset());
      cache.cacheBlock(key, block, false);
      block.release();
    }

    void read(long seconds) {
      long next = System.nanoTime();
      for (long end = next + TimeUnit.SECONDS.toNanos(seconds); next < end; next += PACE_NANOS) {
        while (System.nanoTime() < next) {
          Thread.onSpinWait();
        }
        readOne(keys[random.nextInt(READ_BLOCKS)]);
      }
    }

    private void readOne(BlockCacheKey key) {
      long begin = System.nanoTime();
      Cacheable block = cache.getBlock(key, true, false, true);
      if (block != null) {
        block.release();
      }
      long end = System.nanoTime();
      nothing.recordValue(System.nanoTime() - end);
      if (block == null) {
        misses++;
        insert(key);
      } else {
        reads.recordValue(end - begin);
      }
    }

    void forget() {
      reads.reset();
      nothing.reset();
      misses = 0;
    }

    void report(Lines.Sink sink) {
      Percentiles.report(sink, "block-cache.stall", reads);
      Percentiles.report(sink, "block-cache.stall.nothing", nothing);
    }
  }

  private static final class Writer implements Runnable {
    private final BlockCache cache;
    private final long paceNanos;
    private final AtomicBoolean stop;
    private volatile long offered;

    Writer(BlockCache cache, long perSecond, AtomicBoolean stop) {
      this.cache = cache;
      this.paceNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
      this.stop = stop;
    }

    @Override
    public void run() {
      ByteBuffer[] sources = new ByteBuffer[SOURCES];
      Arrays.setAll(sources, i -> Blocks.bytes(BLOCK, true));
      Blocks.Keys keys = new Blocks.Keys(1L << 40, BLOCK);
      long count = 0;
      for (long next = System.nanoTime(); !stop.get(); next += paceNanos) {
        long now = System.nanoTime();
        next = Math.max(next, now - BACKLOG_NANOS);
        LockSupport.parkNanos(next - now);
        BlockCacheKey key = keys.next();
        HFileBlock block = Blocks.over(sources[(int) (count % SOURCES)], key.getOffset());
        cache.cacheBlock(key, block, false);
        block.release();
        offered = ++count;
      }
    }
  }
}
