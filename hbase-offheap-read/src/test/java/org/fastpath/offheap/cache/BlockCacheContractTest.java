package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** HBase's promises of a block cache, kept by ours and by HBase's own for blocks of all sizes. */
class BlockCacheContractTest {
  private static final long BYTES = 32L << 20;
  private static final String FILE = "8d5ba0ab8d7e4d1c9b1e1d8b3d8e1f00";
  private static final String OTHER = "0123456789abcdef0123456789abcdef";
  private static final int[] SIZES = {8, 1000, 4096, 65_000, 300_000};

  /** The caches. */
  enum Kind {
    OURS {
      @Override
      BlockCache create() {
        Configuration conf = new Configuration(false);
        conf.setLong(CacheOptions.SIZE, BYTES);
        conf.setBoolean(CacheOptions.DEBUG, true);
        return OffHeapBlockCache.create(conf);
      }
    },
    BUCKET_CACHE {
      @Override
      BlockCache create() {
        int[] buckets = {5 << 10, 9 << 10, 66 << 10, 512 << 10};
        try {
          return new BucketCache("offheap", BYTES, 64 << 10, buckets, 1, 64, null);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    },
    LRU {
      @Override
      BlockCache create() {
        return new LruBlockCache(BYTES, 64 << 10);
      }
    };

    abstract BlockCache create();
  }

  static Stream<Arguments> cachesAndSizes() {
    return Stream.of(Kind.values())
        .flatMap(kind -> IntStream.of(SIZES).mapToObj(size -> Arguments.of(kind, size)));
  }

  private static BlockCacheKey key(String file, long offset) {
    return new BlockCacheKey(file, offset);
  }

  private static void assertThere(BlockCache cache, String file, long seed, long offset) {
    HFileBlock block = (HFileBlock) cache.getBlock(key(file, offset), true, false, true);
    assertThat(block).as("%s, %d", file, offset).isNotNull();
    assertThat(TestBlocks.difference(block, seed, offset)).isNull();
    block.release();
  }

  private static boolean isThere(BlockCache cache, String file, long offset) {
    HFileBlock block = (HFileBlock) cache.getBlock(key(file, offset), true, false, false);
    if (block != null) {
      block.release();
    }
    return block != null;
  }

  /** BucketCache writes blocks by threads of its own. */
  static void awaitBlocks(BlockCache cache, int blocks) {
    int there = 0;
    while (there < blocks) {
      there = 0;
      for (Iterator<CachedBlock> all = cache.iterator(); all.hasNext(); all.next()) {
        there++;
      }
    }
  }

  /** BucketCache knows the blocks of a file a moment after it has written them. */
  private static int evictAll(BlockCache cache, int blocks) {
    int evicted = 0;
    while (evicted < blocks) {
      evicted += cache.evictBlocksByHfileName(FILE);
      Thread.onSpinWait();
    }
    return evicted;
  }

  @ParameterizedTest
  @MethodSource("cachesAndSizes")
  void blocksComeBackAsTheyWereUntilTheyAreTakenOut(Kind kind, int size) {
    BlockCache cache = kind.create();
    try {
      for (long offset = 0; offset < 10; offset++) {
        cache.cacheBlock(key(FILE, offset), TestBlocks.heap(1, offset, size));
        cache.cacheBlock(key(OTHER, offset), TestBlocks.direct(2, offset, size, 64 << 10));
      }
      awaitBlocks(cache, 20);
      for (long offset = 0; offset < 10; offset++) {
        assertThere(cache, FILE, 1, offset);
        assertThere(cache, OTHER, 2, offset);
      }
      assertThat(cache.getStats().getHitCount()).isEqualTo(20);
      assertThat(cache.getBlock(key(FILE, 99), true, false, true)).isNull();
      assertThat(cache.getStats().getMissCount()).isOne();
      cache.cacheBlock(key(FILE, 3), TestBlocks.heap(1, 3, size));
      assertThere(cache, FILE, 1, 3);
      assertThat(cache.evictBlock(key(FILE, 3))).isTrue();
      assertThat(isThere(cache, FILE, 3)).isFalse();
      assertThat(cache.evictBlock(key(FILE, 3))).isFalse();
      HFileBlock held = (HFileBlock) cache.getBlock(key(FILE, 4), true, false, true);
      assertThat(evictAll(cache, 9)).isEqualTo(9);
      assertThat(isThere(cache, FILE, 4)).isFalse();
      assertThat(TestBlocks.difference(held, 1, 4)).isNull();
      held.release();
      assertThere(cache, OTHER, 2, 9);
    } finally {
      cache.shutdown();
    }
  }
}
