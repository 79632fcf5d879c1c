package org.fastpath.bench.workloads.caches;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.Pause;
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
 * <p>Machines stall too, so the reader times an empty operation after each read, as a control. The
 * longest time of the control is caused by the scheduler and the garbage collector, and no cache
 * can be better.
 */
final class ReaderStall implements Lines.Probe {
  static final String SECONDS = "seconds";
  static final String INSERTS = "inserts/s";

  private static final int BLOCK = 64 << 10;
  private static final long CAPACITY = 256L << 20;
  private static final int READ_BLOCKS = 64;
  private static final int SOURCES = 32;
  private static final long NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long PACE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  /** The longest delay after which a writer catches up. */
  private static final long BACKLOG_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long WARM_UP_SECONDS = 5;
  private static final long SEED = 42;
  private static final int DIGITS = 3;

  private final Random random = new Random(SEED);
  private final BlockCacheKey[] keys = new BlockCacheKey[READ_BLOCKS];
  private final ByteBuffer bytes = Blocks.bytes(BLOCK, true);
  private final AtomicLong offered = new AtomicLong();
  private final AtomicBoolean stop = new AtomicBoolean();
  private final Histogram times = new Histogram(DIGITS);
  private final Histogram nothing = new Histogram(DIGITS);
  private BlockCache cache;
  private long misses;

  @Override
  public void measure(Map<String, String> params, Lines.Sink sink) throws IOException {
    cache = CacheVariant.valueOf(params.get(BlockCaches.CACHE)).create(CAPACITY);
    long perSecond = Long.parseLong(params.get(INSERTS));
    FutureTask<Void> writer = new FutureTask<>(() -> write(NANOS / perSecond), null);
    new Thread(writer, "writer").start();
    Blocks.Keys names = new Blocks.Keys(1, BLOCK);
    for (int i = 0; i < READ_BLOCKS; i++) {
      keys[i] = names.next();
      insert(keys[i], bytes);
    }
    long seconds = Long.parseLong(params.get(SECONDS));
    readFor(Math.min(WARM_UP_SECONDS, seconds));
    times.reset();
    nothing.reset();
    misses = 0;
    long before = inserted();
    readFor(seconds);
    stop.set(true);
    Pause.await(writer);
    report(sink, "block-cache.stall", times);
    report(sink, "block-cache.stall.nothing", nothing);
    double perSecondInserted = (inserted() - before) / (double) seconds;
    sink.figure("block-cache.stall.inserted", "blocks/s", perSecondInserted);
    sink.figure("block-cache.stall.misses", "%", 100.0 * misses / times.getTotalCount());
    cache.shutdown();
  }

  private static void report(Lines.Sink sink, String name, Histogram times) {
    for (String percentile : List.of("50", "99", "99.9", "99.99")) {
      double nanos = times.getValueAtPercentile(Double.parseDouble(percentile));
      sink.figure(name + ".p" + percentile, "us", nanos / 1e3);
    }
    sink.figure(name + ".max", "us", times.getMaxValue() / 1e3);
  }

  private void readFor(long seconds) {
    long end = System.nanoTime() + seconds * NANOS;
    for (long next = System.nanoTime(); System.nanoTime() < end; next += PACE_NANOS) {
      while (System.nanoTime() < next) {
        Thread.onSpinWait();
      }
      read();
      long again = System.nanoTime();
      nothing.recordValue(System.nanoTime() - again);
    }
  }

  /** Returns the inserted blocks; BucketCache counts those that it dropped. */
  private long inserted() {
    return offered.get() - cache.getStats().getFailedInserts();
  }

  private void insert(BlockCacheKey key, ByteBuffer content) {
    HFileBlock block = Blocks.over(content, key.getOffset());
    cache.cacheBlock(key, block, false);
    block.release();
  }

  /** Reads a block; caches it again, untimed, if it was evicted. */
  private void read() {
    BlockCacheKey key = keys[random.nextInt(READ_BLOCKS)];
    long begin = System.nanoTime();
    Cacheable block = cache.getBlock(key, true, false, true);
    if (block == null) {
      misses++;
      insert(key, bytes);
    } else {
      block.release();
      times.recordValue(System.nanoTime() - begin);
    }
  }

  /** Inserts new blocks until the end; the writer's thread. */
  private void write(long paceNanos) {
    ByteBuffer[] sources = new ByteBuffer[SOURCES];
    Arrays.setAll(sources, i -> Blocks.bytes(BLOCK, true));
    Blocks.Keys names = new Blocks.Keys(1L << 40, BLOCK);
    long count = 0;
    for (long next = System.nanoTime(); !stop.get(); next += paceNanos) {
      long now = System.nanoTime();
      next = Math.max(next, now - BACKLOG_NANOS);
      LockSupport.parkNanos(next - now);
      insert(names.next(), sources[(int) (count % SOURCES)]);
      offered.set(++count);
    }
  }
}
