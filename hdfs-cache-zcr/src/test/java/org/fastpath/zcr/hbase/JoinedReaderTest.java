package org.fastpath.zcr.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.fastpath.cluster.Eventually;
import org.fastpath.offheap.cache.JoinedCache;
import org.fastpath.offheap.reader.HeldElsewhere;
import org.fastpath.offheap.reader.MemoryOnly;
import org.fastpath.offheap.reader.NotInMemoryException;
import org.fastpath.offheap.reader.Scanners;
import org.fastpath.zcr.TestHdfs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One scanner reads mapped replicas and a cache, on real HDFS. Its results equal HBase's, wherever
 * each block is, and it releases everything.
 */
class JoinedReaderTest {
  private static final long SEED = Long.getLong("zcr.seed", System.nanoTime());
  private static final boolean NIGHTLY = Boolean.getBoolean("nightly");
  private static final int ROWS = 4_000;
  private static final int KEYS = 200;
  private static final int READERS = 3;
  private static final int CHANGES = NIGHTLY ? 400 : 40;
  private static final String CACHE = "16m";

  private static TestHdfs hdfs;

  private final Random random = new Random(SEED);
  private HFiles files;
  private JoinedCache cache;

  @BeforeAll
  static void start() throws Exception {
    System.out.println("Replay with -Dzcr.seed=" + SEED);
    hdfs = new TestHdfs();
    // A DataNode of Hadoop 3.5 reports no cache that is empty (HDFS-17339).
    Path other = new Path("/other");
    DFSTestUtil.createFile(hdfs.stock(), other, 1, (short) 1, SEED);
    hdfs.cache(other);
  }

  @AfterAll
  static void stop() throws Exception {
    hdfs.close();
  }

  private void open(boolean poisoned, String... keysAndValues) throws Exception {
    List<String> all = new ArrayList<>(List.of(keysAndValues));
    all.addAll(List.of("dfs.fastpath.zcr.debug", Boolean.toString(poisoned)));
    files = new HFiles(hdfs, all.toArray(String[]::new));
    cache = new JoinedCache(files.conf(), CACHE, poisoned);
  }

  @AfterEach
  void everythingIsGivenBack() throws Exception {
    assertThat(BlockMetrics.live()).isZero();
    assertThat(BlockMetrics.openFiles()).isZero();
    assertThat(TestHdfs.slices()).isZero();
    files.close();
    cache.close();
    assertThat(IndexBudget.usedBytes()).isZero();
  }

  /** A file with two readers: HBase on stock HDFS, and the scanners under test. */
  private final class Twins implements AutoCloseable {
    private final HFile.Reader stock;
    private final HFile.Reader ours;
    private final Scanners scanners;

    Twins(Path file) throws Exception {
      stock = files.stock(file);
      ours = files.joined(file, cache.both());
      scanners = new Scanners(ours, files.conf());
      scanners.prepare();
    }

    HFileScanner theirs() {
      return stock.getScanner(files.conf(), false, true);
    }

    HFileScanner mine() {
      return scanners.open(true, true, false);
    }

    void compareAll(Random random) throws Exception {
      try (HFileScanner theirs = theirs();
          HFileScanner mine = mine()) {
        assertThat(mine.seekTo()).isEqualTo(theirs.seekTo());
        do {
          requireSameCell(mine, theirs);
        } while (bothNext(mine, theirs));
        for (int i = 0; i < KEYS; i++) {
          compareSeek(mine, theirs, random);
        }
      }
    }

    @Override
    public void close() throws Exception {
      scanners.close();
      ours.close(false);
      stock.close();
    }
  }

  private static boolean bothNext(HFileScanner mine, HFileScanner theirs) throws Exception {
    boolean next = theirs.next();
    assertThat(mine.next()).isEqualTo(next);
    return next;
  }

  private static void compareSeek(HFileScanner mine, HFileScanner theirs, Random random)
      throws Exception {
    Cell key = HFiles.key(random.nextInt(ROWS));
    if (random.nextInt(3) == 0) {
      boolean before = theirs.seekBefore(key);
      assertThat(mine.seekBefore(key)).isEqualTo(before);
      if (!before) {
        return;
      }
    } else {
      int found = theirs.seekTo(key);
      assertThat(mine.seekTo(key)).isEqualTo(found);
      if (found < 0) {
        // The key is before the file's first cell, from which a new scanner cannot go on.
        return;
      }
    }
    requireSameCell(mine, theirs);
    for (int i = random.nextInt(80); i > 0 && bothNext(mine, theirs); i--) {
      requireSameCell(mine, theirs);
    }
    if (random.nextBoolean()) {
      mine.shipped();
    }
  }

  private static void requireSameCell(HFileScanner mine, HFileScanner theirs) {
    assertThat(mine.isSeeked()).isEqualTo(theirs.isSeeked());
    if (theirs.isSeeked()) {
      assertThat(KeyValueUtil.copyToNewKeyValue(mine.getCell()).getBuffer())
          .isEqualTo(KeyValueUtil.copyToNewKeyValue(theirs.getCell()).getBuffer());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1"})
  void mappedBlocksAreReadByTheirIndexAndNotCached(DataBlockEncoding encoding) throws Exception {
    open(false);
    Path file = files.write("joined-" + encoding, encoding, ROWS, random);
    hdfs.cache(file);
    long served = BlockMetrics.blocks();
    long indexed = BlockMetrics.indexed();
    try (Twins twins = new Twins(file)) {
      twins.compareAll(random);
      twins.compareAll(random);
    }
    assertThat(BlockMetrics.blocks()).isGreaterThan(served + 2 * KEYS);
    if (encoding != DataBlockEncoding.ROW_INDEX_V1) {
      assertThat(BlockMetrics.indexed()).isGreaterThan(indexed + 50);
      assertThat(IndexBudget.usedBytes()).isPositive();
    }
    assertThat(cache.dataBlocks()).isZero();
    hdfs.stock().delete(file, false);
  }

  @Test
  void itIsKnownWhetherAFileIsInMemory() throws Exception {
    open(false);
    Path file = files.write("held", DataBlockEncoding.NONE, ROWS, random);
    String name = file.getName();
    assertThat(HeldElsewhere.bytes(name)).isZero();
    try (Twins twins = new Twins(file)) {
      assertThat(HeldElsewhere.bytes(name)).isZero();
      long directive = hdfs.cache(file);
      Eventually.holds(() -> assertThat(HeldElsewhere.bytes(name)).isEqualTo(twins.ours.length()));
      hdfs.uncache(directive);
      Eventually.holds(() -> assertThat(HeldElsewhere.bytes(name)).isZero());
    }
    hdfs.stock().delete(file, false);
  }

  @Test
  void withoutRoomForIndexesBlocksAreWalked() throws Exception {
    open(false, MappedBlocks.INDEX_SIZE, "0");
    Path file = files.write("walked", DataBlockEncoding.NONE, ROWS, random);
    hdfs.cache(file);
    long indexed = BlockMetrics.indexed();
    long verified = BlockMetrics.verified();
    try (Twins twins = new Twins(file)) {
      twins.compareAll(random);
      long once = BlockMetrics.verified();
      assertThat(once).isGreaterThan(verified);
      twins.compareAll(random);
      assertThat(BlockMetrics.verified()).isEqualTo(once);
    }
    assertThat(BlockMetrics.indexed()).isEqualTo(indexed);
    assertThat(BlockMetrics.unindexed()).isPositive();
    assertThat(cache.dataBlocks()).isZero();
    hdfs.stock().delete(file, false);
  }

  @Test
  void whatIsCachedLeavesTheCacheWhenItIsReadFromAMapping() throws Exception {
    open(false);
    Path file = files.write("first-cached", DataBlockEncoding.NONE, ROWS, random);
    try (Twins twins = new Twins(file)) {
      twins.compareAll(random);
      assertThat(cache.dataBlocks()).isGreaterThan(50);
      long hits = cache.hits();
      twins.compareAll(random);
      assertThat(cache.hits()).isGreaterThan(hits);
      hdfs.cache(file);
      Eventually.holds(
          () -> {
            twins.compareAll(random);
            // Only blocks that cross the end of an HDFS block are in the cache.
            assertThat(cache.dataBlocks()).isLessThan(5);
          });
      // The first blocks may be among those few: the mapping can begin in the midst of a scan.
      twins.compareAll(random);
      refuseInCache(twins, file);
    }
    hdfs.stock().delete(file, false);
  }

  /**
   * Offers a mapped block to the cache, like a prefetch or HBase's own reader. The cache refuses
   * it.
   */
  private void refuseInCache(Twins twins, Path file) throws Exception {
    long refused = cache.heldElsewhere();
    twins.ours.readBlock(0, -1, true, true, false, true, null, DataBlockEncoding.NONE).release();
    assertThat(cache.heldElsewhere()).isEqualTo(refused + 1);
    assertThat(twins.ours.getName()).isEqualTo(file.getName());
    // A prefetch asks the cache for the block and goes on with the next one.
    assertThat(cache.has(file.getName(), 0)).isTrue();
  }

  @Test
  void aThreadThatReadsMemoryOnlyMapsNothing() throws Exception {
    open(false);
    Path file = files.write("memory-only", DataBlockEncoding.NONE, ROWS, random);
    hdfs.cache(file);
    try (Twins twins = new Twins(file)) {
      long served = BlockMetrics.blocks();
      assertThat(isReadFromMemory(twins)).isFalse();
      assertThat(BlockMetrics.blocks()).isEqualTo(served);
      twins.compareAll(random);
      assertThat(isReadFromMemory(twins)).isTrue();
    }
    hdfs.stock().delete(file, false);
  }

  private static boolean isReadFromMemory(Twins twins) throws Exception {
    MemoryOnly.begin();
    try (HFileScanner scanner = twins.mine()) {
      return scanner.seekTo();
    } catch (NotInMemoryException e) {
      return false;
    } finally {
      MemoryOnly.end();
    }
  }

  @Test
  void aWrongChecksumIsForHBaseToJudge() throws Exception {
    open(false);
    Path file = files.write("sound", DataBlockEncoding.NONE, ROWS, random);
    Path copy = files.copyWithError(file, "unsound", firstChecksum(file) + 1);
    hdfs.cache(copy);
    long mismatches = BlockMetrics.stockReads(StockRead.MISMATCH);
    try (Twins twins = new Twins(copy)) {
      twins.compareAll(random);
      assertThat(BlockMetrics.stockReads(StockRead.MISMATCH)).isEqualTo(mismatches + 1);
      assertThat(cache.dataBlocks()).isEqualTo(1);
    }
    hdfs.stock().delete(file, false);
    hdfs.stock().delete(copy, false);
  }

  /**
   * Returns the position of the first checksum of the first block. Only verification finds an error
   * there.
   */
  private static int firstChecksum(Path file) throws IOException {
    byte[] header = new byte[BlockHeader.LENGTH];
    try (FSDataInputStream in = hdfs.stock().open(file)) {
      in.readFully(0, header);
    }
    return ByteBuffer.wrap(header).getInt(BlockHeader.LENGTH - Integer.BYTES);
  }

  @Test
  void aTruncatedReplicaIsNoticed() throws Exception {
    open(false);
    Path file = files.write("truncated", DataBlockEncoding.NONE, ROWS, random);
    hdfs.cache(file);
    try (Twins twins = new Twins(file)) {
      twins.compareAll(random);
      try (FileChannel replica =
          FileChannel.open(hdfs.replicaOf(hdfs.blocks(file).get(0)), StandardOpenOption.WRITE)) {
        replica.truncate(TestHdfs.BLOCK_BYTES / 2 + 1001);
      }
      long noticed = BlockMetrics.stockReads(StockRead.TRUNCATED);
      Eventually.holds(
          () -> {
            readFirst(twins);
            assertThat(BlockMetrics.stockReads(StockRead.TRUNCATED)).isGreaterThan(noticed);
          });
    }
    hdfs.stock().delete(file, false);
  }

  /**
   * Reads the first block. HBase's reader answers or fails as it does without mappings, and the
   * process lives.
   */
  private static void readFirst(Twins twins) {
    try (HFileScanner mine = twins.mine()) {
      mine.seekTo();
    } catch (IOException | RuntimeException e) {
      assertThat(e).isNotNull();
    }
  }

  /**
   * Scans go on while their blocks move between mapping and cache. The file is uncached and cached
   * again, blocks are evicted, and the cache is resized. In one case there is room for a single
   * mapping. Freed memory is overwritten at once.
   */
  @ParameterizedTest
  @CsvSource({"NONE, 1000", "FAST_DIFF, 1000", "NONE, 1"})
  void blocksMayChangeSidesDuringScans(DataBlockEncoding encoding, String mappings)
      throws Exception {
    open(true, "dfs.fastpath.zcr.max-mappings", mappings);
    Path file = files.write("sides-" + encoding, encoding, ROWS, random);
    ExecutorService threads = Executors.newFixedThreadPool(READERS);
    try (Twins twins = new Twins(file)) {
      SideChanges changes = new SideChanges(file);
      List<Future<Void>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        readers.add(threads.submit(reader(twins, changes, random.nextLong())));
      }
      try {
        changes.run(readers);
        changes.bothSidesServe();
      } finally {
        changes.ended = true;
      }
      for (Future<Void> reader : readers) {
        reader.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(cache.leaks()).isEmpty();
    hdfs.stock().delete(file, false);
  }

  private static Callable<Void> reader(Twins twins, SideChanges changes, long seed) {
    return () -> {
      Random random = new Random(seed);
      while (!changes.ended) {
        try (HFileScanner theirs = twins.theirs();
            HFileScanner mine = twins.mine()) {
          for (int i = 0; i < KEYS && !changes.ended; i++) {
            compareSeek(mine, theirs, random);
          }
        }
      }
      return null;
    };
  }

  /** Changes the side of a file's blocks. Not thread-safe. */
  private final class SideChanges {
    private final Path file;
    private long directive = -1;
    private volatile boolean ended;

    SideChanges(Path file) {
      this.file = file;
    }

    void run(List<Future<Void>> readers) throws Exception {
      for (int i = 0; i < CHANGES && readers.stream().noneMatch(Future::isDone); i++) {
        switch (random.nextInt(4)) {
          case 0 -> cache.both().evictBlocksByHfileName(file.getName());
          case 1 -> cache.resize(random.nextBoolean() ? CACHE : "8m");
          default -> lockOrUnlock();
        }
        Thread.sleep(random.nextInt(40));
      }
    }

    /** Waits until readers get blocks from a mapping, and then from the cache. */
    void bothSidesServe() throws Exception {
      if (directive < 0) {
        lockOrUnlock();
      }
      long mapped = BlockMetrics.blocks();
      Eventually.holds(() -> assertThat(BlockMetrics.blocks()).isGreaterThan(mapped));
      lockOrUnlock();
      long hits = cache.hits();
      Eventually.holds(() -> assertThat(cache.hits()).isGreaterThan(hits));
    }

    private void lockOrUnlock() throws Exception {
      if (directive < 0) {
        directive = hdfs.cache(file);
      } else {
        hdfs.uncache(directive);
        directive = -1;
      }
    }
  }
}
