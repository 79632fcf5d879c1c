package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** HBase's expectations of a block cache, call by call. */
class OffHeapBlockCacheTest {
  private static final String FILE = "8d5ba0ab8d7e4d1c9b1e1d8b3d8e1f00";
  private static final int SIZE = 64 << 10;

  private final OffHeapBlockCache cache = cache("16m");

  private static OffHeapBlockCache cache(String size) {
    Configuration conf = new Configuration(false);
    conf.set(CacheOptions.SIZE, size);
    conf.setBoolean(CacheOptions.DEBUG, true);
    return OffHeapBlockCache.create(conf);
  }

  @AfterEach
  void nothingIsHeld() {
    assertThat(cache.leaks()).isEmpty();
    cache.extents().validate();
    cache.shutdown();
    assertThat(cache.getBlockCount()).isZero();
    cache.store().reclaim();
    assertThat(cache.store().pinnedBytes()).isZero();
    assertThat(cache.extents().payloadBytes()).isZero();
  }

  private static BlockCacheKey key(String file, long offset) {
    return new BlockCacheKey(file, offset);
  }

  private HFileBlock get(BlockCacheKey key) {
    return (HFileBlock) cache.getBlock(key, true, false, true);
  }

  private void assertCached(BlockCacheKey key, long seed) {
    HFileBlock block = get(key);
    assertThat(block).as("%s", key).isNotNull();
    assertThat(TestBlocks.difference(block, seed, key.getOffset())).isNull();
    block.release();
  }

  @Test
  void blockComesBackAsItWas() {
    HFileBlock block = TestBlocks.withNextBlock(1, 4711, SIZE, 12345);
    cache.cacheBlock(key(FILE, 4711), block);
    HFileBlock cached = get(key(FILE, 4711));
    assertThat(cached).isEqualTo(block).isNotSameAs(block);
    assertThat(cached.getBlockType()).isEqualTo(BlockType.DATA);
    assertThat(cached.isSharedMem()).isTrue();
    assertThat(cached.refCnt()).isOne();
    assertThat(TestBlocks.nextBlockOnDiskSize(cached)).isEqualTo(12345);
    assertThat(cached.getSerializedLength()).isEqualTo(block.getSerializedLength());
    assertThat(cached.toString()).isEqualTo(cached.toString());
    cached.release();
  }

  @Test
  void blockThatIsNotAtItsKeysOffsetComesBackAsItWas() {
    HFileBlock block = TestBlocks.withNextBlock(1, 99, SIZE, 12345);
    cache.cacheBlock(key(FILE, 4711), block);
    cache.cacheBlock(key(FILE, 4711), TestBlocks.withNextBlock(1, 99, SIZE, 23456));
    HFileBlock cached = get(key(FILE, 4711));
    assertThat(cached).isEqualTo(block);
    cached.release();
    assertCachedAt(99);
  }

  private void assertCachedAt(long offset) {
    HFileBlock cached = get(key(FILE, 4711));
    assertThat(TestBlocks.difference(cached, 1, offset)).isNull();
    cached.release();
  }

  @Test
  void sourcesOfAllKinds() {
    cache.cacheBlock(key(FILE, 1), TestBlocks.heap(1, 1, SIZE));
    cache.cacheBlock(key(FILE, 2), TestBlocks.direct(1, 2, SIZE, SIZE * 2));
    cache.cacheBlock(key(FILE, 3), TestBlocks.direct(1, 3, SIZE, 5000));
    for (int offset = 1; offset <= 3; offset++) {
      assertCached(key(FILE, offset), 1);
    }
  }

  @Test
  void sizesFromOneToManyMegabytes() {
    int[] sizes = {8, 100, 1000, 1024, 4096, 65_536, 70_001, 1 << 20, 5 << 20};
    for (int size : sizes) {
      cache.cacheBlock(key(FILE, size), TestBlocks.heap(3, size, size));
      assertCached(key(FILE, size), 3);
    }
  }

  @Test
  void whatIsLargerThanTheCacheIsRefusedAndCounted() {
    cache.cacheBlock(key(FILE, 0), TestBlocks.heap(1, 0, 17 << 20));
    assertThat(get(key(FILE, 0))).isNull();
    assertThat(cache.getStats().getFailedInserts()).isOne();
  }

  @Test
  void pinnedBlockSurvivesEvictionOfItsFile() {
    cache.cacheBlock(key(FILE, 0), TestBlocks.heap(1, 0, SIZE));
    HFileBlock held = get(key(FILE, 0));
    assertThat(cache.evictBlocksByHfileName(FILE)).isOne();
    assertThat(get(key(FILE, 0))).isNull();
    assertThat(cache.store().heldBytes()).isPositive();
    fillWith("other");
    assertThat(TestBlocks.difference(held, 1, 0)).isNull();
    held.release();
    fillWith("another");
    assertThat(cache.store().heldBytes()).isZero();
  }

  private void fillWith(String file) {
    for (int i = 0; i < 600; i++) {
      cache.cacheBlock(key(file, i * 70_000L), TestBlocks.heap(5, i * 70_000L, SIZE));
    }
  }

  @Test
  void everyBlockHeldMeansRefusedNotOverwritten() {
    List<HFileBlock> held = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      cache.cacheBlock(key(FILE, i), TestBlocks.heap(2, i, SIZE));
      HFileBlock block = get(key(FILE, i));
      if (block != null) {
        held.add(block);
      }
    }
    assertThat(held).hasSizeBetween(240, 256);
    assertThat(cache.getStats().getFailedInserts()).isEqualTo(400 - held.size());
    for (HFileBlock block : held) {
      assertThat(TestBlocks.difference(block, 2, TestBlocks.offset(block))).isNull();
      block.release();
    }
  }

  @Test
  void sharedReferenceIsReleasedOnce() {
    cache.cacheBlock(key(FILE, 0), TestBlocks.heap(1, 0, SIZE));
    HFileBlock block = get(key(FILE, 0));
    block.retain();
    cache.evictBlock(key(FILE, 0));
    assertThat(block.release()).isFalse();
    assertThat(TestBlocks.difference(block, 1, 0)).isNull();
    assertThat(block.release()).isTrue();
    assertThatThrownBy(() -> block.getBufferReadOnly()).isInstanceOf(RuntimeException.class);
  }

  @Test
  void useAfterReleaseIsFoundByTheCount() {
    cache.cacheBlock(key(FILE, 0), TestBlocks.heap(1, 0, SIZE));
    HFileBlock block = get(key(FILE, 0));
    block.release();
    assertThatThrownBy(() -> TestBlocks.difference(block, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void leakNamesWhereTheBlockWasTaken() {
    cache.cacheBlock(key(FILE, 7), TestBlocks.heap(1, 7, SIZE));
    HFileBlock block = get(key(FILE, 7));
    assertThat(cache.leaks()).hasSize(1);
    assertThat(cache.leaks().get(0)).hasMessageContaining(FILE + "_7");
    assertThat(cache.leaks().get(0).getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("leakNamesWhereTheBlockWasTaken"));
    block.release();
  }

  @Test
  void leakOfABlockForTheOffHeapReaderIsFoundToo() {
    cache.cacheBlock(key(FILE, 7), TestBlocks.heap(1, 7, SIZE));
    HFileBlock block = cache.dataBlock(FILE, 7, true, true);
    assertThat(cache.leaks()).singleElement().asString().contains(FILE + "_7");
    block.retain();
    block.release();
    assertThat(cache.leaks()).hasSize(1);
    block.release();
    assertThat(cache.leaks()).isEmpty();
  }

  @Test
  void sameBlockTwiceIsOneBlock() {
    cache.cacheBlock(key(FILE, 0), TestBlocks.heap(1, 0, SIZE));
    cache.cacheBlock(key(FILE, 0), TestBlocks.heap(1, 0, SIZE));
    assertThat(cache.getBlockCount()).isOne();
    assertThat(cache.getStats().getFailedInserts()).isZero();
  }

  @Test
  void sameKeyWithOtherContentsIsHBasesError() {
    cache.cacheBlock(key(FILE, 0), TestBlocks.heap(1, 0, SIZE));
    HFileBlock other = TestBlocks.heap(2, 0, SIZE);
    assertThatThrownBy(() -> cache.cacheBlock(key(FILE, 0), other))
        .hasMessageContaining("Cached block contents differ");
    assertCached(key(FILE, 0), 1);
  }

  @Test
  void sizeOfTheNextBlockIsLearned() {
    cache.cacheBlock(key(FILE, 0), TestBlocks.heap(1, 0, SIZE));
    cache.cacheBlock(key(FILE, 0), TestBlocks.withNextBlock(1, 0, SIZE, 999));
    HFileBlock block = get(key(FILE, 0));
    assertThat(TestBlocks.nextBlockOnDiskSize(block)).isEqualTo(999);
    block.release();
    cache.cacheBlock(key(FILE, 0), TestBlocks.heap(1, 0, SIZE));
    block = get(key(FILE, 0));
    assertThat(TestBlocks.nextBlockOnDiskSize(block)).isEqualTo(999);
    block.release();
  }

  @Test
  void blocksOfAFileByRange() {
    for (long offset = 0; offset < 100; offset++) {
      cache.cacheBlock(key(FILE, offset), TestBlocks.heap(1, offset, 1000));
      cache.cacheBlock(key("other", offset), TestBlocks.heap(2, offset, 1000));
    }
    assertThat(cache.evictBlocksRangeByHfileName(FILE, 10, 19)).isEqualTo(10);
    assertThat(get(key(FILE, 10))).isNull();
    assertThat(get(key(FILE, 19))).isNull();
    assertCached(key(FILE, 9), 1);
    assertCached(key(FILE, 20), 1);
    assertThat(cache.evictBlocksByHfileName(FILE)).isEqualTo(90);
    assertThat(cache.getBlockCount()).isEqualTo(100);
    assertThat(cache.evictBlocksByHfileName("unknown")).isZero();
    assertCached(key("other", 15), 2);
  }

  @Test
  void daughterReadsItsParentsBlocks() {
    cache.cacheBlock(key(FILE, 0), TestBlocks.heap(1, 0, SIZE));
    BlockCacheKey reference = key(FILE + ".0123456789abcdef0123456789abcdef", 0);
    assertThat(cache.isAlreadyCached(reference)).contains(true);
    assertCached(reference, 1);
  }

  @Test
  void whatIsCountedIsThere() {
    for (long offset = 0; offset < 50; offset++) {
      cache.cacheBlock(key(FILE, offset), TestBlocks.heap(1, offset, 1000));
    }
    assertThat(cache.getBlockCount()).isEqualTo(50);
    assertThat(cache.getDataBlockCount()).isEqualTo(50);
    assertThat(cache.size()).isEqualTo(50L * (1000 + TestBlocks.HEADER));
    assertThat(cache.getCurrentDataSize()).isEqualTo(cache.size());
    assertThat(cache.getCurrentSize() + cache.getFreeSize()).isEqualTo(cache.getMaxSize());
    assertThat(cache.getMaxSize()).isLessThanOrEqualTo(16L << 20).isGreaterThan(15L << 20);
    List<CachedBlock> blocks = new ArrayList<>();
    cache.iterator().forEachRemaining(blocks::add);
    assertThat(blocks).hasSize(50).allMatch(block -> block.getFilename().equals(FILE));
    assertThat(blocks).allMatch(block -> block.getBlockType() == BlockType.DATA);
    assertThat(blocks).allMatch(block -> block.getSize() == 1000 + TestBlocks.HEADER);
  }

  @Test
  void hitsAndMissesAreCountedOnce() {
    cache.cacheBlock(key(FILE, 0), TestBlocks.heap(1, 0, SIZE));
    assertThat(cache.getBlock(key(FILE, 1), true, false, true)).isNull();
    assertThat(cache.getBlock(key(FILE, 1), true, true, true)).isNull();
    assertThat(cache.getBlock(key(FILE, 1), true, false, false)).isNull();
    cache.getBlock(key(FILE, 0), true, false, true).release();
    cache.getBlock(key(FILE, 0), false, true, true).release();
    cache.getBlock(key(FILE, 0), true, false, false).release();
    assertThat(cache.getStats().getMissCount()).isOne();
    assertThat(cache.getStats().getHitCount()).isEqualTo(2);
    assertThat(cache.getStats().getHitCachingCount()).isOne();
    assertThat(cache.getStats().getDataHitCount()).isEqualTo(2);
  }

  @Test
  void prefetchedFileIsKnownUntilABlockLeaves() {
    Path path = new Path("/hbase/data/default/table/region01/f/" + FILE);
    for (long offset = 0; offset < 10; offset++) {
      cache.cacheBlock(key(FILE, offset), TestBlocks.heap(1, offset, 1000));
    }
    cache.notifyFileCachingCompleted(path, 12, 11, 10_000);
    assertThat(cache.getFullyCachedFiles().orElseThrow()).isEmpty();
    cache.notifyFileCachingCompleted(path, 12, 10, 10_000);
    assertThat(cache.getFullyCachedFiles().orElseThrow())
        .containsEntry(FILE, Pair.newPair("region01", 10_000L));
    assertThat(cache.getRegionCachedInfo().orElseThrow())
        .containsEntry("region01", 10L * (1000 + TestBlocks.HEADER));
    assertThat(cache.shouldCacheFile(FILE)).contains(false);
    cache.evictBlock(key(FILE, 3));
    assertThat(cache.getFullyCachedFiles().orElseThrow()).isEmpty();
    assertThat(cache.getRegionCachedInfo().orElseThrow())
        .containsEntry("region01", 9L * (1000 + TestBlocks.HEADER));
    assertThat(cache.shouldCacheFile(FILE)).contains(true);
  }

  @Test
  void aPrefetchEndsBeforeItDisplacesBlocks() {
    OffHeapBlockCache large = cache("64m");
    SplittableRandom random = new SplittableRandom(1);
    HFileBlock next = TestBlocks.heap(1, 0, SIZE);
    assertThat(large.blockFitsIntoTheCache(next)).contains(true);
    long offset = 0;
    for (; large.store().evicted() == 0; offset++) {
      large.cacheBlock(key(FILE, offset), TestBlocks.heap(1, offset, random.nextInt(60, 76) << 10));
    }
    assertThat(large.blockFitsIntoTheCache(next)).contains(false);
    large.evictBlocksRangeByHfileName(FILE, 0, offset / 2);
    assertThat(large.blockFitsIntoTheCache(next)).contains(true);
    large.shutdown();
  }

  @Test
  void sizeOnDiskIsTheBlocks() {
    cache.cacheBlock(key(FILE, 0), TestBlocks.heap(1, 0, SIZE));
    assertThat(cache.getBlockSize(key(FILE, 0))).contains(SIZE + TestBlocks.HEADER);
    assertThat(cache.getBlockSize(key(FILE, 1))).isEmpty();
  }

  @Test
  void growsAndShrinksByRegionsWhileBlocksAreHeld() throws InterruptedException {
    fillWith(FILE);
    long small = cache.getBlockCount();
    configureSize("40m");
    cache.resizer().await();
    assertThat(cache.getMaxSize()).isEqualTo(40L << 20);
    fillWith("other");
    assertThat(cache.getBlockCount()).isGreaterThan(2 * small);
    HFileBlock held = get(key("other", 599 * 70_000L));
    configureSize("9m");
    assertThat(TestBlocks.difference(held, 5, TestBlocks.offset(held))).isNull();
    held.release();
    cache.resizer().await();
    assertThat(cache.getMaxSize()).isEqualTo(12L << 20);
    assertThat(cache.size()).isLessThan(12L << 20);
    fillWith("another");
    assertThat(cache.getBlockCount()).isLessThan(small);
  }

  private void configureSize(String size) {
    Configuration conf = new Configuration(false);
    conf.set(CacheOptions.SIZE, size);
    cache.onConfigurationChange(conf);
  }

  @Test
  void sizeThatIsNotAllowedChangesNothing() throws InterruptedException {
    configureSize("nonsense");
    cache.resizer().await();
    assertThat(cache.getMaxSize()).isEqualTo(16L << 20);
  }

  @Test
  void nothingComesInAfterShutdown() {
    cache.cacheBlock(key(FILE, 0), TestBlocks.heap(1, 0, SIZE));
    Cacheable held = get(key(FILE, 0));
    cache.shutdown();
    cache.cacheBlock(key(FILE, 1), TestBlocks.heap(1, 1, SIZE));
    assertThat(cache.getBlockCount()).isZero();
    assertThat(TestBlocks.difference((HFileBlock) held, 1, 0)).isNull();
    held.release();
  }
}
