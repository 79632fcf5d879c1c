package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.cluster.ForkedJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process caches, evicts and reads at full speed in a file. SIGKILL ends it at a random moment,
 * repeatedly with the same file. After each kill every restored block is compared with its expected
 * bytes. Each process begins with the file of the last one and checks its reads, too.
 *
 * <p>15 times, by night 50, or as the property {@code kill.rounds} says; {@code kill.seed} repeats
 * the choices, though not the moments.
 */
class WarmRestartKillTest {
  private static final int ROUNDS =
      Integer.getInteger("kill.rounds", Boolean.getBoolean("nightly") ? 50 : 15);
  private static final long SEED = Long.getLong("kill.seed", System.nanoTime());
  private static final String OPEN = "open, restored ";
  private static final String WRONG = "wrong: ";
  private static final int THREADS = 3;
  private static final int FILES = 12;
  private static final int BLOCKS = 60;

  /** The most time that a process runs once it is open. */
  private static final int MAX_MILLIS = 600;

  private static final long TIMEOUT_SECONDS = 60;

  @TempDir private Path directory;

  private static OffHeapBlockCache open(Path file) {
    Configuration conf = new Configuration(false);
    conf.set(CacheOptions.SIZE, "16m");
    conf.set(CacheOptions.FILE, file.toString());
    return OffHeapBlockCache.create(conf);
  }

  private static BlockCacheKey key(int file, long offset) {
    return new BlockCacheKey("file" + file, offset);
  }

  private static HFileBlock block(int file, long offset) {
    return TestBlocks.heap(file, offset, size(file, offset));
  }

  private static int size(int file, long offset) {
    SplittableRandom random = new SplittableRandom(file * 1000L + offset);
    int kind = random.nextInt(20);
    return kind == 0
        ? random.nextInt(1 << 20)
        : kind < 8 ? 8 + random.nextInt(4096) : (32 << 10) + random.nextInt(40_000);
  }

  /** Returns the error of a cached block, or null. */
  private static String difference(OffHeapBlockCache cache, int file, long offset) {
    HFileBlock block = (HFileBlock) cache.getBlock(key(file, offset), true, false, true);
    if (block == null) {
      return null;
    }
    try {
      if (block.getUncompressedSizeWithoutHeader() != size(file, offset)) {
        return "size is " + block.getUncompressedSizeWithoutHeader();
      }
      return TestBlocks.difference(block, file, offset);
    } finally {
      block.release();
    }
  }

  @Test
  void nothingWrongComesBack() throws Exception {
    System.out.println("kill.seed=" + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    Path file = directory.resolve("cache");
    int survivedRounds = 0;
    long survived = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Path log = directory.resolve("round" + round + ".log");
      Process process = start(file, log, random.nextLong());
      awaitOpen(log, process);
      Thread.sleep(random.nextInt(MAX_MILLIS));
      process.destroyForcibly();
      assertThat(process.waitFor()).as("killed: %s", log).isEqualTo(128 + 9);
      assertThat(Files.readString(log)).doesNotContain(WRONG);
      int back = check(file);
      survivedRounds += back > 0 ? 1 : 0;
      survived += back;
    }
    System.out.printf(
        "%d kills, blocks came back after %d of them, %d on average%n",
        ROUNDS, survivedRounds, survived / ROUNDS);
    assertThat(survivedRounds).isGreaterThan(ROUNDS / 2);
  }

  /** Opens the file and compares every block in it; how many there are. */
  private static int check(Path file) {
    OffHeapBlockCache cache = open(file);
    try {
      cache.extents().validate();
      List<CachedBlock> blocks = new ArrayList<>();
      cache.iterator().forEachRemaining(blocks::add);
      confirm(cache, blocks.iterator());
      int hits = 0;
      for (CachedBlock block : blocks) {
        int number = number(block);
        assertThat(difference(cache, number, block.getOffset())).as("%s", block).isNull();
        hits += cache.isAlreadyCached(key(number, block.getOffset())).orElseThrow() ? 1 : 0;
      }
      // A process that is killed loses blocks, but leaves none that is damaged.
      assertThat(cache.metrics().damagedBlocks()).isZero();
      assertThat(cache.metrics().changedFiles()).isZero();
      // Each thread may have been about to clear the record of a block that was removed before it
      // was filled. Another block may have its memory or key.
      assertThat(cache.refusedRecords()).isLessThanOrEqualTo(2 * THREADS);
      assertThat(cache.restoredBlocks()).isEqualTo(blocks.size());
      return hits;
    } finally {
      cache.close();
    }
  }

  private static int number(CachedBlock block) {
    return Integer.parseInt(block.getFilename().substring("file".length()));
  }

  /** As HBase does: one block of each file is read from the file system. */
  private static void confirm(OffHeapBlockCache cache, Iterator<CachedBlock> blocks) {
    boolean[] confirmed = new boolean[FILES];
    while (blocks.hasNext()) {
      CachedBlock block = blocks.next();
      int number = number(block);
      if (!confirmed[number]) {
        cache.cacheBlock(key(number, block.getOffset()), block(number, block.getOffset()));
        confirmed[number] = true;
      }
    }
  }

  // The process that is killed.

  static Process start(Path file, Path log, long seed) throws IOException {
    return ForkedJvm.ours()
        .quickStart()
        .start(
            log,
            log.toAbsolutePath().getParent(),
            WarmRestartKillTest.class.getName(),
            file.toString(),
            Long.toString(seed));
  }

  static void awaitOpen(Path log, Process process) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (!Files.readString(log).contains(OPEN)) {
      assertThat(process.isAlive()).as("see %s", log).isTrue();
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(5);
    }
  }

  public static void main(String[] args) {
    OffHeapBlockCache cache = open(Path.of(args[0]));
    List<CachedBlock> blocks = new ArrayList<>();
    cache.iterator().forEachRemaining(blocks::add);
    System.out.println(OPEN + blocks.size());
    confirm(cache, blocks.iterator());
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = new SplittableRandom(Long.parseLong(args[1]) + i);
      new Thread(() -> work(cache, random)).start();
    }
  }

  private static void work(OffHeapBlockCache cache, SplittableRandom random) {
    try {
      while (true) {
        step(cache, random);
      }
    } catch (RuntimeException | Error e) {
      System.out.println(WRONG + e);
    }
  }

  private static void step(OffHeapBlockCache cache, SplittableRandom random) {
    int file = random.nextInt(FILES);
    long offset = random.nextInt(BLOCKS);
    int what = random.nextInt(1000);
    if (what < 600) {
      cache.cacheBlock(key(file, offset), block(file, offset));
    } else if (what < 900) {
      String difference = difference(cache, file, offset);
      if (difference != null) {
        System.out.println(WRONG + "file " + file + ", block " + offset + ": " + difference);
      }
    } else if (what < 995) {
      cache.evictBlock(key(file, offset));
    } else if (what < 999) {
      cache.evictBlocksRangeByHfileName("file" + file, offset, offset + 10);
    } else {
      cache.evictBlocksByHfileName("file" + file);
    }
  }
}
