package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.offheap.memory.CacheConfigurationException;
import org.fastpath.offheap.restart.CacheFileLayout;
import org.fastpath.offheap.restart.NameDescriptor;
import org.fastpath.offheap.restart.RecordDescriptor;
import org.fastpath.offheap.restart.SuperblockDescriptor;
import org.fastpath.offheap.store.Pin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cache in a file, closed and opened again. File number {@code n} holds blocks that are made of
 * the seed {@code n}; random tests repeat with the system property {@code warm.seed}.
 */
class WarmRestartTest {
  private static final long SEED = Long.getLong("warm.seed", System.nanoTime());
  private static final String SIZE = "4m";
  private static final int FILES = 5;
  private static final int BLOCKS = 9;
  private static final int LENGTH = 40_000;

  @TempDir private Path directory;
  private OffHeapBlockCache cache;

  private Path file() {
    return directory.resolve("cache");
  }

  private Configuration configuration(String size) {
    Configuration conf = new Configuration(false);
    conf.set(CacheOptions.SIZE, size);
    conf.set(CacheOptions.FILE, file().toString());
    conf.setBoolean(CacheOptions.DEBUG, true);
    return conf;
  }

  private void open() {
    open(SIZE);
  }

  private void open(String size) {
    cache = OffHeapBlockCache.create(configuration(size));
    cache.extents().validate();
  }

  @AfterEach
  void close() {
    if (cache != null) {
      assertThat(cache.leaks()).isEmpty();
      cache.extents().validate();
      cache.close();
      cache = null;
    }
  }

  private void reopen() {
    close();
    open();
  }

  private static BlockCacheKey key(int file, long offset) {
    return new BlockCacheKey("file" + file, offset);
  }

  private static HFileBlock block(int file, long offset) {
    return TestBlocks.heap(file, offset, LENGTH);
  }

  private void cacheAll() {
    for (int file = 0; file < FILES; file++) {
      for (int offset = 0; offset < BLOCKS; offset++) {
        cache.cacheBlock(key(file, offset), block(file, offset), file == 0);
      }
    }
  }

  /** As HBase does on a miss: reads the block from the file system and caches it. */
  private boolean isHit(int file, long offset) {
    HFileBlock block = (HFileBlock) cache.getBlock(key(file, offset), true, false, true);
    if (block == null) {
      return false;
    }
    assertThat(TestBlocks.difference(block, file, offset)).isNull();
    block.release();
    return true;
  }

  private int hits() {
    int hits = 0;
    for (int file = 0; file < FILES; file++) {
      for (int offset = 0; offset < BLOCKS; offset++) {
        hits += isHit(file, offset) ? 1 : 0;
      }
    }
    return hits;
  }

  private void confirmAll() {
    for (int file = 0; file < FILES; file++) {
      for (int offset = 0; offset < BLOCKS; offset++) {
        cache.cacheBlock(key(file, offset), block(file, offset));
      }
    }
  }

  @Test
  void blocksComeBackWhenTheirFileIsConfirmed() {
    open();
    assertThat(cache.restoredBlocks()).isZero();
    cacheAll();
    assertThat(hits()).isEqualTo(FILES * BLOCKS);
    reopen();
    assertThat(cache.restoredBlocks()).isEqualTo(FILES * BLOCKS);
    assertThat(cache.getBlockCount()).isEqualTo(FILES * BLOCKS);
    assertThat(cache.getDataBlockCount()).isEqualTo(FILES * BLOCKS);
    assertThat(cache.restoredBytes()).isEqualTo(cache.size()).isEqualTo(size(FILES * BLOCKS));
    assertThat(hits()).isZero();
    assertThat(cache.isAlreadyCached(key(3, 3))).contains(false);
    cache.cacheBlock(key(3, 0), block(3, 0));
    assertThat(cache.isAlreadyCached(key(3, 3))).contains(true);
    assertThat(hits()).isEqualTo(BLOCKS);
    confirmAll();
    assertThat(hits()).isEqualTo(FILES * BLOCKS);
  }

  private static long size(int blocks) {
    return (long) blocks * (LENGTH + TestBlocks.HEADER);
  }

  @Test
  void blocksComeBackAgainAndAgain() {
    open();
    cacheAll();
    for (int i = 0; i < 3; i++) {
      reopen();
      assertThat(cache.restoredBlocks()).isEqualTo(FILES * BLOCKS);
      if (i == 1) {
        confirmAll();
        assertThat(hits()).isEqualTo(FILES * BLOCKS);
      }
    }
  }

  @Test
  void whatABlockIsComesBack() {
    open();
    HFileBlock first = TestBlocks.withNextBlock(1, 0, LENGTH, 777);
    BlockCacheKey secondary = new BlockCacheKey("file1", 0, false, BlockType.DATA);
    cache.cacheBlock(secondary, first);
    cache.cacheBlock(key(1, 1), block(1, 1));
    reopen();
    List<CachedBlock> blocks = new ArrayList<>();
    cache.iterator().forEachRemaining(blocks::add);
    assertThat(blocks).hasSize(2).allMatch(block -> block.getFilename().equals("file1"));
    assertThat(blocks).allMatch(block -> block.getBlockType() == BlockType.DATA);
    long age = System.nanoTime() - blocks.get(0).getCachedTime();
    assertThat(age).isBetween(-TimeUnit.SECONDS.toNanos(2), TimeUnit.HOURS.toNanos(1));
    cache.cacheBlock(key(1, 1), block(1, 1));
    HFileBlock back = (HFileBlock) cache.getBlock(secondary, true, false, true);
    assertThat(back).isEqualTo(first);
    assertThat(TestBlocks.nextBlockOnDiskSize(back)).isEqualTo(777);
    back.release();
  }

  @Test
  void blocksInPartsComeBack() {
    open();
    SplittableRandom random = new SplittableRandom(1);
    for (int offset = 0; offset < 400; offset++) {
      cache.cacheBlock(key(1, offset), TestBlocks.heap(1, offset, 8 + random.nextInt(90_000)));
      if (random.nextInt(3) == 0) {
        cache.evictBlock(key(1, random.nextInt(offset + 1)));
      }
    }
    long blocks = cache.getBlockCount();
    long parts = inParts();
    assertThat(parts).isPositive();
    reopen();
    assertThat(cache.getBlockCount()).isEqualTo(blocks);
    assertThat(inParts()).isEqualTo(parts);
    confirm(1);
    int hits = 0;
    for (int offset = 0; offset < 400; offset++) {
      hits += isHit(1, offset) ? 1 : 0;
    }
    assertThat(hits).isEqualTo((int) blocks);
  }

  private long inParts() {
    long parts = 0;
    int next = 0;
    for (Pin pin = cache.store().pinFrom(0); pin != null; pin = cache.store().pinFrom(next)) {
      parts += pin.parts() > 1 ? 1 : 0;
      next = pin.entry() + 1;
      pin.release();
    }
    return parts;
  }

  /** Reads a block that is there from the file system, whichever it is. */
  private void confirm(int file) {
    CachedBlock any = null;
    for (var blocks = cache.iterator(); blocks.hasNext() && any == null; ) {
      CachedBlock next = blocks.next();
      any = next.getFilename().equals("file" + file) ? next : null;
    }
    assertThat(any).isNotNull();
    HFileBlock read =
        TestBlocks.heap(file, any.getOffset(), (int) any.getSize() - TestBlocks.HEADER);
    cache.cacheBlock(key(file, any.getOffset()), read);
  }

  @Test
  void evictedBlocksStayAway() {
    open();
    cacheAll();
    cache.evictBlocksByHfileName("file1");
    cache.evictBlock(key(2, 2));
    HFileBlock held = (HFileBlock) cache.getBlock(key(2, 3), true, false, true);
    cache.evictBlock(key(2, 3));
    held.release();
    reopen();
    assertThat(cache.restoredBlocks()).isEqualTo((FILES - 1) * BLOCKS - 2);
    confirmAll();
    cache.evictBlocksByHfileName("file0");
    reopen();
    assertThat(cache.restoredBlocks()).isEqualTo((FILES - 1) * BLOCKS);
  }

  @Test
  void evictionForRoomIsRecordedToo() {
    open();
    for (int offset = 0; offset < 1000; offset++) {
      cache.cacheBlock(key(offset % FILES, offset), block(offset % FILES, offset));
    }
    assertThat(cache.store().evicted()).isPositive();
    long blocks = cache.getBlockCount();
    reopen();
    assertThat(cache.restoredBlocks()).isEqualTo(blocks);
    for (int file = 0; file < FILES; file++) {
      confirm(file);
    }
    int hits = 0;
    for (int offset = 0; offset < 1000; offset++) {
      hits += isHit(offset % FILES, offset) ? 1 : 0;
    }
    assertThat(hits).isEqualTo((int) blocks);
  }

  @Test
  void blocksOfAFileThatChangedAreDropped() {
    open();
    cacheAll();
    reopen();
    cache.cacheBlock(key(2, 4), block(7, 4));
    assertThat(cache.getBlockCount()).isEqualTo((FILES - 1) * BLOCKS + 1);
    assertThat(cache.metrics().changedFiles()).isOne();
    HFileBlock changed = (HFileBlock) cache.getBlock(key(2, 4), true, false, true);
    assertThat(TestBlocks.difference(changed, 7, 4)).isNull();
    changed.release();
    assertThat(isHit(2, 5)).isFalse();
    cache.cacheBlock(key(2, 5), block(7, 5));
    reopen();
    assertThat(cache.restoredBlocks()).isEqualTo((FILES - 1) * BLOCKS + 2);
  }

  /** Of two versions of a file, only blocks of the one that was confirmed may be there. */
  @Test
  void blocksOfAnUnconfirmedFileAreServedButNotRecorded() {
    open();
    cache.cacheBlock(key(1, 0), block(1, 0));
    reopen();
    cache.cacheBlock(key(1, 1), block(7, 1));
    HFileBlock fresh = (HFileBlock) cache.getBlock(key(1, 1), true, false, true);
    assertThat(TestBlocks.difference(fresh, 7, 1)).isNull();
    fresh.release();
    cache.cacheBlock(key(1, 1), block(7, 1));
    assertThat(isHit(1, 0)).isFalse();
    reopen();
    assertThat(cache.restoredBlocks()).isOne();
    cache.cacheBlock(key(1, 1), block(7, 1));
    assertThat(isHit(1, 0)).isFalse();
  }

  @Test
  void daughterConfirmsItsParentsFile() {
    String parent = "8d5ba0ab8d7e4d1c9b1e1d8b3d8e1f00";
    open();
    cache.cacheBlock(new BlockCacheKey(parent, 3), block(1, 3));
    cache.cacheBlock(new BlockCacheKey(parent, 4), block(1, 4));
    reopen();
    String reference = parent + ".0123456789abcdef0123456789abcdef";
    assertThat(cache.getBlock(new BlockCacheKey(reference, 3), true, false, true)).isNull();
    cache.cacheBlock(new BlockCacheKey(reference, 3), block(1, 3));
    assertThat(cache.isAlreadyCached(new BlockCacheKey(reference, 4))).contains(true);
  }

  /** It then skips the others, and reads no more of the file. */
  @Test
  void aPrefetchConfirmsAFileByItsFirstBlock() throws InterruptedException {
    open();
    cacheAll();
    reopen();
    PrefetchPassTest.prefetch(() -> cache.cacheBlock(key(3, 0), block(3, 0)));
    assertThat(cache.isAlreadyCached(key(3, 1))).contains(true);
    assertThat(cache.isAlreadyCached(key(3, 0))).contains(true);
    assertThat(hits()).isEqualTo(BLOCKS);
    assertThat(cache.metrics().changedFiles()).isZero();
    PrefetchPassTest.prefetch(() -> cache.cacheBlock(key(2, 0), block(7, 0)));
    assertThat(cache.metrics().changedFiles()).isOne();
    assertThat(cache.isAlreadyCached(key(2, 1))).contains(false);
  }

  /** Of a block in two forms one cannot say whether it is the same. */
  @Test
  void aPrefetchOfBlocksInAnotherFormDecidesNothing() throws InterruptedException {
    open();
    cache.cacheBlock(key(1, 0), TestBlocks.packed(1, 0, LENGTH));
    cache.cacheBlock(key(1, 1), TestBlocks.packed(1, 1, LENGTH));
    cache.cacheBlock(key(2, 0), block(2, 0));
    reopen();
    PrefetchPassTest.prefetch(() -> cache.cacheBlock(key(1, 0), block(1, 0)));
    PrefetchPassTest.prefetch(() -> cache.cacheBlock(key(2, 0), TestBlocks.packed(2, 0, LENGTH)));
    assertThat(cache.getBlockCount()).isEqualTo(3);
    assertThat(cache.metrics().changedFiles()).isZero();
    assertThat(cache.isAlreadyCached(key(1, 1))).contains(false);
    PrefetchPassTest.prefetch(() -> cache.cacheBlock(key(1, 0), TestBlocks.packed(1, 0, LENGTH)));
    assertThat(cache.isAlreadyCached(key(1, 1))).contains(true);
  }

  @Test
  void nameThatDoesNotFitIsNotRecorded() {
    open();
    String longName = "f".repeat(300);
    cache.cacheBlock(new BlockCacheKey(longName, 0), block(1, 0));
    cache.cacheBlock(new BlockCacheKey("f".repeat(248), 0), block(1, 0));
    assertThat(cache.isAlreadyCached(new BlockCacheKey(longName, 0))).contains(true);
    reopen();
    assertThat(cache.restoredBlocks()).isOne();
  }

  @Test
  void moreFilesThanNames() {
    Configuration conf = configuration(SIZE);
    conf.set(CacheOptions.AVERAGE_BLOCK_SIZE, "256");
    cache = OffHeapBlockCache.create(conf);
    int names = CacheOptions.of(conf).fileLayout().names();
    int more = 500;
    for (int file = 0; file < names + more; file++) {
      cache.cacheBlock(key(file, 0), TestBlocks.heap(file, 0, 100));
    }
    assertThat(cache.getBlockCount()).isEqualTo(names + more);
    for (int file = 0; file < more; file++) {
      cache.evictBlock(key(file, 0));
      cache.cacheBlock(key(-1 - file, 0), TestBlocks.heap(-1 - file, 0, 100));
    }
    cache.close();
    cache = OffHeapBlockCache.create(conf);
    assertThat(cache.restoredBlocks()).isEqualTo(names);
    for (int file = -more; file < names; file++) {
      cache.cacheBlock(key(file, 0), TestBlocks.heap(file, 0, 100));
      assertThat(isHit(file, 0)).isTrue();
    }
    assertThat(cache.metrics().changedFiles()).isZero();
  }

  @Test
  void otherConfigurationMeansAnEmptyCache() throws IOException {
    open();
    cacheAll();
    close();
    open("8m");
    assertThat(cache.restoredBlocks()).isZero();
    cacheAll();
    close();
    long larger = Files.size(file());
    open();
    assertThat(cache.restoredBlocks()).isZero();
    assertThat(Files.size(file())).isLessThan(larger);
  }

  @Test
  void sizeStaysWhileItRuns() {
    open();
    cacheAll();
    cache.onConfigurationChange(configuration("8m"));
    assertThat(cache.getMaxSize()).isEqualTo(4L << 20);
    reopen();
    assertThat(cache.restoredBlocks()).isEqualTo(FILES * BLOCKS);
  }

  // Content that must not be trusted.

  private CacheFileLayout layout() {
    return CacheOptions.of(configuration(SIZE)).fileLayout();
  }

  private void overwrite(long place, byte[] bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(file().toFile(), "rw")) {
      file.seek(place);
      file.write(bytes);
    }
  }

  private byte[] read(long place, int bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(file().toFile(), "r")) {
      byte[] read = new byte[bytes];
      file.seek(place);
      file.readFully(read);
      return read;
    }
  }

  private void flip(long place, SplittableRandom random) throws IOException {
    byte[] one = read(place, 1);
    one[0] ^= (byte) (1 << random.nextInt(8));
    overwrite(place, one);
  }

  @Test
  void damagedSuperblockMeansAnEmptyCache() throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 20; i++) {
      open();
      cacheAll();
      close();
      flip(8 + random.nextInt(SuperblockDescriptor.BYTES - 8), random);
      open();
      assertThat(cache.restoredBlocks()).as("warm.seed=%s", SEED).isZero();
      assertThat(hits()).isZero();
      close();
    }
  }

  /** Bits flipped anywhere lose blocks, and never make a wrong one. */
  @Test
  void damageIsFound() throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    System.out.println("warm.seed=" + SEED);
    CacheFileLayout layout = layout();
    int records = FILES * BLOCKS * RecordDescriptor.BYTES;
    long[][] places = {
      {layout.nameAt(0), FILES * NameDescriptor.BYTES, 20},
      {layout.recordAt(0), records, 20},
      // Fewer flips than a file has blocks: one of which none is whole is not confirmed by any.
      {layout.dataAt(), size(FILES * BLOCKS), BLOCKS - 1},
    };
    for (int i = 0; i < 60; i++) {
      Files.deleteIfExists(file());
      open();
      cacheAll();
      close();
      long[] place = places[i % places.length];
      for (long flips = 1 + random.nextLong(place[2]); flips > 0; flips--) {
        flip(place[0] + random.nextLong(place[1]), random);
      }
      open();
      confirmAll();
      assertThat(hits()).as("warm.seed=%s", SEED).isEqualTo(FILES * BLOCKS);
      cache.shutdown();
      reopen();
      for (int file = 0; file < FILES; file++) {
        confirm(file);
      }
      hits();
      close();
    }
  }

  /** Damage of contents is seen by the first reader. */
  @Test
  void damagedBlockIsAMiss() throws IOException {
    open();
    cacheAll();
    close();
    byte[] contents = new byte[64];
    overwrite(layout().dataAt() + 1000, contents);
    open();
    assertThat(cache.restoredBlocks()).isEqualTo(FILES * BLOCKS);
    for (int file = 0; file < FILES; file++) {
      cache.cacheBlock(key(file, 8), block(file, 8));
    }
    assertThat(hits()).isEqualTo(FILES * BLOCKS - 1);
    assertThat(cache.getBlockCount()).isEqualTo(FILES * BLOCKS - 1);
    assertThat(cache.metrics().damagedBlocks()).isOne();
    assertThat(cache.metrics().changedFiles()).isZero();
  }

  /** The off-heap reader gets a restored block only after it was verified, too. */
  @Test
  void dataBlocksOfTheOffHeapReaderAreVerified() throws IOException {
    open();
    cacheAll();
    close();
    overwrite(layout().dataAt() + 1000, new byte[64]);
    open();
    assertThat(dataBlocks()).isZero();
    for (int file = 0; file < FILES; file++) {
      cache.cacheBlock(key(file, 8), block(file, 8));
    }
    assertThat(dataBlocks()).isEqualTo(FILES * BLOCKS - 1);
    assertThat(dataBlocks()).isEqualTo(FILES * BLOCKS - 1);
    assertThat(cache.metrics().damagedBlocks()).isOne();
  }

  private int dataBlocks() {
    int hits = 0;
    for (int file = 0; file < FILES; file++) {
      for (int offset = 0; offset < BLOCKS; offset++) {
        HFileBlock block = cache.dataBlock("file" + file, offset, true, true);
        if (block != null) {
          assertThat(TestBlocks.difference(block, file, offset)).isNull();
          block.release();
          hits++;
        }
      }
    }
    return hits;
  }

  @Test
  void randomBytesEverywhere() throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    CacheFileLayout layout = layout();
    open();
    cacheAll();
    for (int i = 0; i < 30; i++) {
      close();
      int bytes = 1 + random.nextInt(3000);
      byte[] noise = new byte[bytes];
      random.nextBytes(noise);
      long from = SuperblockDescriptor.BYTES;
      overwrite(from + random.nextLong(layout.bytes() - from - bytes), noise);
      byte[] more = new byte[40];
      random.nextBytes(more);
      overwrite(layout.recordAt(random.nextInt(FILES * BLOCKS)) + random.nextInt(24), more);
      open();
      confirmAll();
      assertThat(hits()).as("warm.seed=%s", SEED).isEqualTo(FILES * BLOCKS);
    }
  }

  /** Entries of which none came back can be used, also those behind all that did. */
  @Test
  void highRecordsThatAreRefused() throws IOException {
    Configuration conf = configuration("32m");
    conf.set(CacheOptions.AVERAGE_BLOCK_SIZE, "256");
    CacheFileLayout layout = CacheOptions.of(conf).fileLayout();
    int blocks = 70_000;
    cache = OffHeapBlockCache.create(conf);
    fillWithSmall(blocks);
    cache.close();
    for (int entry = 10; entry < blocks; entry++) {
      overwrite(layout.recordAt(entry) + (entry < blocks - 2 ? 0 : 24), new byte[4]);
    }
    ByteBuffer record = ByteBuffer.wrap(read(layout.recordAt(blocks - 1), RecordDescriptor.BYTES));
    record.order(ByteOrder.nativeOrder());
    RecordDescriptor.seal(record);
    overwrite(layout.recordAt(blocks - 1), record.array());
    cache = OffHeapBlockCache.create(conf);
    assertThat(cache.restoredBlocks()).isBetween(9L, 10L);
    assertThat(cache.refusedRecords()).isBetween(2L, 3L);
    assertThat(cache.store().pinnedBytes()).isZero();
    fillWithSmall(blocks);
    assertThat(cache.getBlockCount()).isEqualTo(blocks);
  }

  private void fillWithSmall(int blocks) {
    for (int offset = 0; offset < blocks; offset++) {
      cache.cacheBlock(key(1, offset), TestBlocks.heap(1, offset, 100));
    }
  }

  @Test
  void recordsThatClaimTheSameMemoryAreRefused() throws IOException {
    open();
    cacheAll();
    close();
    copyRecord(3, 4, 17);
    open();
    assertThat(cache.restoredBlocks()).isEqualTo(FILES * BLOCKS - 2);
    confirmAll();
    assertThat(hits()).isEqualTo(FILES * BLOCKS);
  }

  @Test
  void recordsOfTheSameBlockAreOneBlock() throws IOException {
    open();
    cacheAll();
    close();
    byte[] wanted = read(layout().recordAt(3), RecordDescriptor.BYTES);
    ByteBuffer record = ByteBuffer.wrap(read(layout().recordAt(4), RecordDescriptor.BYTES));
    record.order(ByteOrder.nativeOrder());
    RecordDescriptor.block(
        record,
        RecordDescriptor.offset(ByteBuffer.wrap(wanted).order(ByteOrder.nativeOrder())),
        RecordDescriptor.length(record),
        RecordDescriptor.location(record),
        RecordDescriptor.contentsCrc(record));
    RecordDescriptor.seal(record);
    overwrite(layout().recordAt(4), record.array());
    open();
    assertThat(cache.restoredBlocks()).isEqualTo(FILES * BLOCKS - 1);
  }

  /** Writes a sound record over another one, with the same memory and another offset. */
  private void copyRecord(int from, int to, long offset) throws IOException {
    ByteBuffer record = ByteBuffer.wrap(read(layout().recordAt(from), RecordDescriptor.BYTES));
    record.order(ByteOrder.nativeOrder());
    RecordDescriptor.block(
        record,
        offset,
        RecordDescriptor.length(record),
        RecordDescriptor.location(record),
        RecordDescriptor.contentsCrc(record));
    RecordDescriptor.seal(record);
    overwrite(layout().recordAt(to), record.array());
  }

  @Test
  void soundRecordsWithOtherValuesAreRefusedOrHarmless() throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    open();
    cacheAll();
    for (int i = 0; i < 30; i++) {
      close();
      int entry = random.nextInt(FILES * BLOCKS);
      ByteBuffer record = ByteBuffer.wrap(read(layout().recordAt(entry), RecordDescriptor.BYTES));
      record.order(ByteOrder.nativeOrder());
      switch (i % 5) {
        case 0 ->
            RecordDescriptor.file(record, random.nextInt(), RecordDescriptor.nameHash(record));
        case 1 -> RecordDescriptor.file(record, RecordDescriptor.slot(record), random.nextLong());
        case 2 -> RecordDescriptor.block(record, -1, LENGTH, RecordDescriptor.location(record), 0);
        case 3 ->
            RecordDescriptor.block(record, 3, random.nextInt(), random.nextLong(8 << 20) & -32, 0);
        default -> RecordDescriptor.kind(record, (byte) random.nextInt(), (byte) -1, true, 0);
      }
      RecordDescriptor.seal(record);
      overwrite(layout().recordAt(entry), record.array());
      open();
      confirmAll();
      assertThat(hits()).as("warm.seed=%s", SEED).isEqualTo(FILES * BLOCKS);
    }
  }

  @Test
  void truncatedFileIsMadeWholeAgain() throws IOException {
    CacheFileLayout layout = layout();
    TreeSet<Long> lengths = new TreeSet<>();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 10; i++) {
      lengths.add(random.nextLong(8, layout.dataAt() + size(FILES * BLOCKS) / 2));
    }
    for (long length : lengths) {
      open();
      cacheAll();
      close();
      try (RandomAccessFile file = new RandomAccessFile(file().toFile(), "rw")) {
        file.setLength(length);
      }
      open();
      assertThat(Files.size(file())).isEqualTo(layout.bytes());
      assertThat(cache.restoredBlocks()).as("length %s", length).isLessThan(FILES * BLOCKS);
      confirmAll();
      assertThat(hits()).isEqualTo(FILES * BLOCKS);
      close();
    }
  }

  // The log at the start.

  @Test
  void fileOfSomethingElseIsLeftAlone() throws IOException {
    Files.writeString(file(), "somebody's notes");
    assertThatThrownBy(this::open)
        .isInstanceOf(CacheConfigurationException.class)
        .hasMessageContaining(CacheOptions.FILE + " is " + file())
        .hasMessageContaining("another program's file");
    assertThat(Files.readString(file())).isEqualTo("somebody's notes");
  }

  @Test
  void fileThatWasNotFinishedIsMadeAnew() throws IOException {
    Files.write(file(), SuperblockDescriptor.unfinished().array());
    open();
    cacheAll();
    reopen();
    assertThat(cache.restoredBlocks()).isEqualTo(FILES * BLOCKS);
  }

  @Test
  void directoryThatIsNotThere() {
    Configuration conf = configuration(SIZE);
    conf.set(CacheOptions.FILE, directory.resolve("none/cache").toString());
    assertThatThrownBy(() -> OffHeapBlockCache.create(conf))
        .isInstanceOf(CacheConfigurationException.class)
        .hasMessageContaining("its directory does not exist");
    conf.set(CacheOptions.FILE, "file:/dev/shm/cache");
    assertThatThrownBy(() -> OffHeapBlockCache.create(conf))
        .isInstanceOf(CacheConfigurationException.class)
        .hasMessageContaining("the absolute path of a file");
  }

  @Test
  void noRoom() {
    open();
    cacheAll();
    close();
    assertThatThrownBy(() -> open("2047g"))
        .isInstanceOf(CacheConfigurationException.class)
        .hasMessageContaining(CacheOptions.FILE + " is " + file())
        .hasMessageContaining("its file system has room for");
    open();
    assertThat(cache.restoredBlocks()).isEqualTo(FILES * BLOCKS);
  }

  @Test
  void fileInUseIsRefused() throws Exception {
    open();
    cacheAll();
    assertThatThrownBy(() -> OffHeapBlockCache.create(configuration(SIZE)))
        .isInstanceOf(CacheConfigurationException.class)
        .hasMessageContaining("another RegionServer uses it");
    cache.shutdown();
    close();
    Process other = WarmRestartKillTest.start(file(), directory.resolve("log"), 1);
    try {
      WarmRestartKillTest.awaitOpen(directory.resolve("log"), other);
      assertThatThrownBy(this::open)
          .isInstanceOf(CacheConfigurationException.class)
          .hasMessageContaining("another RegionServer uses it");
    } finally {
      other.destroyForcibly().waitFor();
    }
  }
}
