package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the level of a block, the order of look-ups, and the counts. */
class OffHeapCombinedBlockCacheTest {
  private static final String FILE = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";
  private static final int SIZE = 1000;

  private final AtomicInteger ended = new AtomicInteger();
  private final LruBlockCache first = new LruBlockCache(1 << 20, SIZE);
  private final OffHeapBlockCache second = OffHeapBlockCache.create(configuration());
  private final OffHeapCombinedBlockCache cache =
      new OffHeapCombinedBlockCache(first, second, ended::incrementAndGet);

  private static Configuration configuration() {
    Configuration conf = new Configuration(false);
    conf.set(CacheOptions.SIZE, "4m");
    conf.setBoolean(CacheOptions.DEBUG, true);
    return conf;
  }

  @AfterEach
  void nothingIsHeldAndAllEndsTogether() {
    assertThat(second.leaks()).isEmpty();
    cache.shutdown();
    assertThat(ended).hasValue(1);
    assertThat(second.getBlockCount()).isZero();
  }

  private static BlockCacheKey key(BlockType type) {
    return new BlockCacheKey(FILE, 0, true, type);
  }

  private static HFileBlock block(BlockType type) {
    return new HFileBlock(
        type,
        SIZE,
        SIZE,
        -1,
        ByteBuff.wrap(ByteBuffer.allocate(TestBlocks.HEADER + SIZE)),
        HFileBlock.FILL_HEADER,
        0,
        -1,
        TestBlocks.HEADER + SIZE,
        TestBlocks.verifiedContext(),
        ByteBuffAllocator.HEAP);
  }

  private boolean find(BlockType type, boolean repeat, boolean counted) {
    Cacheable block = cache.getBlock(key(type), true, repeat, counted);
    if (block != null) {
      block.release();
    }
    return block != null;
  }

  private static void assertCounts(CacheStats stats, int hits, int misses) {
    assertThat(stats.getHitCount()).isEqualTo(hits);
    assertThat(stats.getMissCount()).isEqualTo(misses);
    assertThat(stats.getRequestCount()).isEqualTo(hits + misses);
  }

  @ParameterizedTest
  @EnumSource(
      value = BlockType.class,
      names = {"DATA", "ENCODED_DATA", "LEAF_INDEX", "BLOOM_CHUNK", "ROOT_INDEX", "META"})
  void blockIsFoundAndCountedInTheLevelOfItsType(BlockType type) {
    cache.cacheBlock(key(type), block(type));
    assertThat(second.getBlockCount()).isEqualTo(type.isData() ? 1 : 0);
    assertThat(find(type, false, true)).isTrue();
    assertCounts(first.getStats(), type.isData() ? 0 : 1, 0);
    assertCounts(second.getStats(), type.isData() ? 1 : 0, 0);
    assertCounts(cache.getStats(), 1, 0);
  }

  @ParameterizedTest
  @CsvSource({"DATA, 0, 1", "LEAF_INDEX, 1, 0", ", 0, 1"})
  void missIsCountedOnceAndInOneLevel(BlockType type, int inFirst, int inSecond) {
    assertThat(find(type, false, true)).isFalse();
    assertThat(find(type, true, true)).isFalse();
    assertThat(find(type, false, false)).isFalse();
    assertCounts(first.getStats(), 0, inFirst);
    assertCounts(second.getStats(), 0, inSecond);
    assertCounts(cache.getStats(), 0, 1);
  }

  @ParameterizedTest
  @CsvSource({"LEAF_INDEX, DATA, 1", "LEAF_INDEX, , 1", "DATA, , 0", "DATA, LEAF_INDEX, 0"})
  void blockIsFoundWhateverItsKeySays(BlockType is, BlockType asked, int hitsInFirst) {
    cache.cacheBlock(key(is), block(is));
    assertThat(find(asked, false, true)).isTrue();
    assertCounts(first.getStats(), hitsInFirst, 0);
    assertCounts(second.getStats(), 1 - hitsInFirst, 0);
  }

  @Test
  void hitInTheRepeatedLookUpIsCounted() {
    cache.cacheBlock(key(BlockType.DATA), block(BlockType.DATA));
    assertThat(find(BlockType.DATA, true, true)).isTrue();
    assertCounts(cache.getStats(), 1, 0);
  }

  @Test
  void readersOfADataBlockAreCounted() {
    BlockCacheKey key = key(BlockType.DATA);
    assertThat(cache.getRpcRefCount(key)).isZero();
    cache.cacheBlock(key, block(BlockType.DATA));
    assertThat(cache.getRpcRefCount(key)).isZero();
    Cacheable one = cache.getBlock(key, true, false, true);
    Cacheable two = cache.getBlock(key, true, false, true);
    assertThat(cache.getRpcRefCount(key)).isEqualTo(2);
    one.release();
    two.release();
    assertThat(cache.getRpcRefCount(key)).isZero();
  }
}
