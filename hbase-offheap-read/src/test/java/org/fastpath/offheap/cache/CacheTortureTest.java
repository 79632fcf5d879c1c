package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;
import org.fastpath.offheap.store.Pin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs everything at once. Threads get blocks, keep some for a while and let another thread release
 * them. They cache blocks of all sizes, evict blocks, ranges and files, read by names of
 * references, and list the cache. One cache is in memory and is resized up and down. Another is in
 * a file, is closed and opened again, and comes back warm. Freed memory is poisoned, each access to
 * memory is checked, and allocations of metadata sometimes fail. Each block's bytes follow from its
 * key, so every wrong byte is found. At the end no block is pinned, and all memory is free.
 *
 * <p>A minute; the system property {@code torture.seconds} makes it longer, and the profile {@code
 * nightly} half an hour. {@code torture.seed} repeats the random choices of a run, though not how
 * its threads meet.
 */
class CacheTortureTest {
  private static final long SECONDS = Long.getLong("torture.seconds", 60);
  private static final long SEED = Long.getLong("torture.seed", System.nanoTime());
  private static final int WORKERS = 4;
  private static final int FILES = 24;
  private static final int BLOCKS_PER_FILE = 60;
  private static final long EPOCH_MILLIS = 3000;

  /** On a slow machine all restarts in time may have another size, which is never warm. */
  private static final int MOST_RESTARTS = 30;

  /** A daughter region of a split reads its parent's file by such a name. */
  private static final String REFERENCE = ".0123456789abcdef0123456789abcdef";

  /** Allocations of records, index and ghosts until one cannot be had. */
  private static final int ALLOCATIONS_TO_A_FAILURE = 7;

  @TempDir private Path directory;

  private final LongAdder allocations = new LongAdder();
  private final BlockingQueue<Held> toGiveBack = new ArrayBlockingQueue<>(64);
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final LongAdder hits = new LongAdder();
  private final LongAdder hitsAfterRestarts = new LongAdder();
  private final LongAdder cached = new LongAdder();
  private final LongAdder removed = new LongAdder();
  private final LongAdder evicted = new LongAdder();
  private volatile OffHeapBlockCache cache;
  private volatile boolean failAllocations;
  private volatile boolean stop;

  /** A block in a reader's hand. */
  private record Held(HFileBlock block, int file, long offset) {
    void checkAndRelease() {
      String difference = TestBlocks.difference(block, file, offset);
      block.release();
      if (difference != null) {
        throw new AssertionError("file " + file + ", block " + offset + ": " + difference);
      }
    }
  }

  private static Configuration configuration(String size) {
    Configuration conf = new Configuration(false);
    conf.set(CacheOptions.SIZE, size);
    conf.setBoolean(CacheOptions.DEBUG, true);
    return conf;
  }

  /** A cache in a file comes back only after it was opened with the size that it had. */
  private void open(String size, boolean inFile) {
    failAllocations = false;
    Configuration conf = configuration(size);
    if (inFile) {
      conf.set(CacheOptions.FILE, directory.resolve("cache").toString());
    }
    cache = OffHeapBlockCache.create(conf, this::allocate);
    cache.store().validate();
    failAllocations = true;
  }

  /** Sizes of blocks: most around 64 KiB, some small, some of a megabyte. */
  private static int size(int file, long offset) {
    SplittableRandom random = new SplittableRandom(file * 1000L + offset);
    int kind = random.nextInt(20);
    return kind == 0
        ? random.nextInt(1 << 20)
        : kind < 5 ? random.nextInt(4096) : (64 << 10) + random.nextInt(8192);
  }

  private static BlockCacheKey key(int file, long offset) {
    return new BlockCacheKey(name(file), offset);
  }

  /** As HBase names files. */
  private static String name(int file) {
    return "%032x".formatted(file);
  }

  private Memory allocate(long bytes) {
    allocations.increment();
    if (failAllocations && allocations.sum() % ALLOCATIONS_TO_A_FAILURE == 0) {
      throw new OutOfMemoryError("injected");
    }
    return MemoryAllocator.DIRECT.allocate(bytes);
  }

  @Test
  void nothingIsWrongWhileTheSizeChanges() throws InterruptedException {
    open("24m", false);
    SplittableRandom random = new SplittableRandom(SEED - 1);
    run(
        SECONDS / 2,
        () -> {
          cache.onConfigurationChange(configuration(random.nextInt(16, 40) + "m"));
          pause(200);
        });
    cache.resizer().await();
    assertEverythingIsBack();
    assertThat(evicted.sum()).isPositive();
  }

  @Test
  void nothingIsWrongAcrossWarmRestarts() throws InterruptedException {
    open("24m", true);
    SplittableRandom random = new SplittableRandom(SEED - 1);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS - SECONDS / 2);
    int restarts = 0;
    int warm = 0;
    while ((System.nanoTime() < end || warm == 0 && restarts < MOST_RESTARTS)
        && failures.isEmpty()) {
      run(EPOCH_MILLIS / 1000, () -> pause(50));
      boolean sameSize = random.nextInt(4) > 0;
      checkedClose();
      open(sameSize ? "24m" : "20m", true);
      warm += cache.restoredBlocks() > 0 ? 1 : 0;
      restarts++;
      if (!sameSize) {
        checkedClose();
        open("24m", true);
      }
    }
    System.out.printf("%d restarts, %d of them warm%n", restarts, warm);
    assertThat(failures).isEmpty();
    assertThat(warm).isPositive();
    assertThat(hitsAfterRestarts.sum()).isPositive();
    checkedClose();
  }

  /** Runs all threads for so long, and an action again and again. */
  private void run(long seconds, Runnable action) throws InterruptedException {
    System.out.println("torture.seed=" + SEED);
    stop = false;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      int number = i;
      threads.add(
          start("worker" + i, () -> work(new SplittableRandom(SEED + number + hits.sum()))));
    }
    threads.add(start("giver", this::giveBack));
    threads.add(start("watcher", this::watch));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Math.max(1, seconds));
    while (System.nanoTime() < end && failures.isEmpty()) {
      action.run();
    }
    stop = true;
    for (Thread thread : threads) {
      thread.join();
    }
    for (Held held = toGiveBack.poll(); held != null; held = toGiveBack.poll()) {
      held.checkAndRelease();
    }
    evicted.add(cache.store().evicted());
    System.out.printf("hits %s, cached %s, removed %s%n", hits, cached, removed);
    assertThat(failures).isEmpty();
    assertThat(hits.sum()).isPositive();
    assertThat(cached.sum()).isPositive();
  }

  /** Nothing is held, and each block is found; the file keeps them. */
  private void checkedClose() {
    assertThat(cache.leaks()).isEmpty();
    cache.store().reclaim();
    assertThat(cache.store().heldBytes()).isZero();
    everyLiveBlockIsFound();
    cache.close();
  }

  private void assertEverythingIsBack() {
    assertThat(cache.leaks()).isEmpty();
    cache.store().reclaim();
    assertThat(cache.store().heldBytes()).isZero();
    everyLiveBlockIsFound();
    assertThat(cache.store().pinnedBytes()).isZero();
    cache.extents().validate();
    assertThat(cache.extents().payloadBytes()).isEqualTo(cache.size());
    cache.shutdown();
    cache.extents().validate();
    assertThat(cache.extents().payloadBytes()).isZero();
    assertThat(cache.store().entriesInUse()).isZero();
    assertThat(cache.fileCount()).isZero();
  }

  /** The table is walked, and each key is looked up. */
  private void everyLiveBlockIsFound() {
    cache.store().validate();
    long blocks = 0;
    for (Iterator<CachedBlock> all = cache.iterator(); all.hasNext(); blocks++) {
      CachedBlock block = all.next();
      int file = Integer.parseInt(block.getFilename(), 16);
      try (Pin pin = cache.store().pin(block.getFilename(), block.getOffset())) {
        assertThat(pin).as("%s, %d", block.getFilename(), block.getOffset()).isNotNull();
      }
      HFileBlock held =
          (HFileBlock) cache.getBlock(key(file, block.getOffset()), false, false, false);
      // A block that came back is not served before its file is known to be the same.
      if (held != null) {
        new Held(held, file, block.getOffset()).checkAndRelease();
      }
    }
    assertThat(blocks).isEqualTo(cache.getBlockCount());
  }

  private Thread start(String name, Runnable work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Throwable e) {
                failures.add(e);
              }
            },
            name);
    thread.start();
    return thread;
  }

  private void work(SplittableRandom random) {
    Deque<Held> kept = new ArrayDeque<>();
    while (!stop) {
      int file = (int) (FILES * Math.pow(random.nextDouble(), 2));
      long offset = (long) (BLOCKS_PER_FILE * Math.pow(random.nextDouble(), 3));
      int what = random.nextInt(1000);
      if (what < 990) {
        readThrough(file, offset, random, kept);
      } else if (what < 996) {
        removed.add(cache.evictBlock(key(file, offset)) ? 1 : 0);
      } else if (what < 998) {
        removed.add(cache.evictBlocksRangeByHfileName(name(file), offset, offset + 10));
      } else {
        removed.add(cache.evictBlocksByHfileName(name(file)));
      }
    }
    kept.forEach(Held::checkAndRelease);
  }

  /** As a read does: from the cache, or else from "disk" and into the cache. */
  private void readThrough(int file, long offset, SplittableRandom random, Deque<Held> kept) {
    HFileBlock block = find(file, offset, random);
    if (block == null) {
      HFileBlock read =
          random.nextBoolean()
              ? TestBlocks.heap(file, offset, size(file, offset))
              : TestBlocks.direct(file, offset, size(file, offset), 65 << 10);
      cache.cacheBlock(key(file, offset), read, file == 0);
      cached.increment();
      return;
    }
    hits.increment();
    if (cache.restoredBlocks() > 0) {
      hitsAfterRestarts.increment();
    }
    Held held = new Held(block, file, offset);
    int what = random.nextInt(10);
    if (what == 0) {
      kept.add(held);
    } else if (what > 1 || !toGiveBack.offer(held)) {
      held.checkAndRelease();
    }
    if (kept.size() > 20) {
      kept.poll().checkAndRelease();
    }
  }

  /** As HBase's reader asks, or as the off-heap reader does. */
  private HFileBlock find(int file, long offset, SplittableRandom random) {
    String name = random.nextInt(4) == 0 ? name(file) + REFERENCE : name(file);
    return random.nextBoolean()
        ? cache.dataBlock(name, offset, true, true)
        : (HFileBlock) cache.getBlock(new BlockCacheKey(name, offset), true, false, true);
  }

  /** Blocks are released by another thread than the one that took them, as by a responder. */
  private void giveBack() {
    try {
      while (!stop) {
        Held held = toGiveBack.poll(10, TimeUnit.MILLISECONDS);
        if (held != null) {
          held.checkAndRelease();
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void watch() {
    while (!stop) {
      long bytes = 0;
      for (Iterator<CachedBlock> blocks = cache.iterator(); blocks.hasNext(); ) {
        bytes += blocks.next().getSize();
      }
      assertThat(bytes).isLessThan(80L << 20);
      cache.isAlreadyCached(key(1, 1));
      cache.getBlockSize(key(1, 2));
      cache.store().pinnedBytes();
      pause(5);
    }
  }
}
