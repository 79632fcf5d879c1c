package org.fastpath.bench.simulators.hitratio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlockBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.junit.jupiter.api.Test;

class RecordingRegionServerTest {
  private static final int BYTES = 1_000;

  @Test
  void dataBlocksThatAreFoundOrComeInAreWritten() {
    StringWriter lines = new StringWriter();
    LruBlockCache lru = new LruBlockCache(1 << 24, 1 << 16, false);
    BlockCache cache = RecordingRegionServer.recorded(lru, lines);

    BlockCacheKey first = new BlockCacheKey("a", 0);
    BlockCacheKey second = new BlockCacheKey("b", 4_096);
    BlockCacheKey index = new BlockCacheKey("b", 8_192);
    assertThat(cache.getBlock(first, true, false, true)).isNull();
    cache.cacheBlock(first, block(BlockType.DATA));
    cache.cacheBlock(second, block(BlockType.DATA), false);
    cache.cacheBlock(index, block(BlockType.LEAF_INDEX));
    assertThat(cache.getBlock(first, true, false, true)).isNotNull();
    assertThat(cache.getBlock(index, true, false, true)).isNotNull();

    int length = HConstants.HFILEBLOCK_HEADER_SIZE + BYTES;
    assertThat(lines.toString().lines().map(line -> line.substring(0, line.lastIndexOf(' '))))
        .containsExactly("0 0", "1 4096", "0 0");
    assertThat(lines.toString().lines().map(line -> line.substring(line.lastIndexOf(' ') + 1)))
        .allSatisfy(bytes -> assertThat(Integer.parseInt(bytes)).isBetween(length, length + 64));
  }

  private static HFileBlock block(BlockType type) {
    return new HFileBlockBuilder()
        .withBlockType(type)
        .withOnDiskSizeWithoutHeader(BYTES)
        .withUncompressedSizeWithoutHeader(BYTES)
        .withPrevBlockOffset(-1)
        .withByteBuff(ByteBuff.wrap(ByteBuffer.allocate(HConstants.HFILEBLOCK_HEADER_SIZE + BYTES)))
        .withFillHeader(HFileBlock.FILL_HEADER)
        .withOffset(0)
        .withNextBlockOnDiskSize(-1)
        .withOnDiskDataSizeWithHeader(HConstants.HFILEBLOCK_HEADER_SIZE + BYTES)
        .withHFileContext(new HFileContextBuilder().withHBaseCheckSum(true).build())
        .build();
  }
}
