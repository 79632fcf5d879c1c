package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A block that was released, or cannot be read, does no harm by whichever way it was found. */
class UseAfterReleaseTest {
  private static final String FILE = "8d5ba0ab8d7e4d1c9b1e1d8b3d8e1f00";
  private static final String REFERENCE = FILE + ".0123456789abcdef0123456789abcdef";
  private static final int SIZE = 64 << 10;

  /** In a block's header. */
  private static final int CHECKSUM_TYPE = 24;

  private final OffHeapBlockCache cache = cache();

  private static OffHeapBlockCache cache() {
    Configuration conf = new Configuration(false);
    conf.set(CacheOptions.SIZE, "8m");
    conf.setBoolean(CacheOptions.DEBUG, true);
    return OffHeapBlockCache.create(conf);
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(cache.leaks()).isEmpty();
    cache.store().validate();
    cache.shutdown();
    cache.store().reclaim();
    assertThat(cache.store().pinnedBytes()).isZero();
    assertThat(cache.extents().payloadBytes()).isZero();
  }

  @Test
  void viewsOfABlockOfTheOffHeapReaderEndWithIt() {
    cache.cacheBlock(new BlockCacheKey(FILE, 0), TestBlocks.heap(1, 0, SIZE));
    HFileBlock block = cache.dataBlock(FILE, 0, true, true);
    ByteBuff view = block.getBufferReadOnly();
    assertThat(view.get(TestBlocks.HEADER)).isNotNull();
    block.release();
    assertThatThrownBy(() -> view.get(TestBlocks.HEADER)).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(block::getBufferReadOnly).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> block.serialize(ByteBuffer.allocate(2 * SIZE), true))
        .isInstanceOf(RuntimeException.class);
  }

  @Test
  void twoLateRetainsHoldNothing() {
    cache.cacheBlock(new BlockCacheKey(FILE, 0), TestBlocks.heap(1, 0, SIZE));
    HFileBlock block = cache.dataBlock(FILE, 0, true, true);
    block.release();
    assertThatThrownBy(block::retain).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(block::retain).isInstanceOf(IllegalStateException.class);
    assertThat(block.refCnt()).isZero();
  }

  @Test
  void anUnreadableBlockThatAReferenceFindsLeaves() {
    BlockCacheKey key = new BlockCacheKey(FILE, 0);
    HFileBlock source = TestBlocks.heap(1, 0, SIZE);
    source.getBufferReadOnly().nioByteBuffers()[0].put(CHECKSUM_TYPE, Byte.MAX_VALUE);
    cache.cacheBlock(key, source);
    assertThat(cache.getBlock(new BlockCacheKey(REFERENCE, 0), true, false, true)).isNull();
    assertThat(cache.isAlreadyCached(key)).contains(false);
    cache.cacheBlock(key, TestBlocks.heap(1, 0, SIZE));
    HFileBlock right = (HFileBlock) cache.getBlock(key, true, false, true);
    assertThat(TestBlocks.difference(right, 1, 0)).isNull();
    right.release();
  }
}
