package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.reader.AddressedBlock;
import org.fastpath.offheap.reader.BlockCursor;
import org.fastpath.offheap.reader.BlockIndexer;
import org.fastpath.offheap.reader.CellBlocks;
import org.fastpath.offheap.reader.CellFormat;
import org.fastpath.offheap.reader.PlainBlockCursor;
import org.fastpath.offheap.reader.ReaderOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Blocks as the off-heap reader gets them from the cache. */
class SelfPinnedBlockTest {
  private static final String FILE = "8d5ba0ab8d7e4d1c9b1e1d8b3d8e1f00";
  private static final BlockCacheKey KEY = new BlockCacheKey(FILE, 4711);
  private static final int SIZE = 64 << 10;

  // In a block's header.
  private static final int UNCOMPRESSED_SIZE = 12;
  private static final int CHECKSUM_TYPE = 24;

  private final OffHeapBlockCache cache = cache();

  private static OffHeapBlockCache cache() {
    Configuration conf = new Configuration(false);
    conf.set(CacheOptions.SIZE, "16m");
    conf.setBoolean(ReaderOptions.ENABLED, true);
    return OffHeapBlockCache.create(conf);
  }

  @AfterEach
  void nothingIsHeld() {
    cache.shutdown();
    cache.store().reclaim();
    assertThat(cache.store().pinnedBytes()).isZero();
    assertThat(cache.extents().payloadBytes()).isZero();
  }

  private HFileBlock dataBlock() {
    return cache.dataBlock(FILE, KEY.getOffset(), true, true);
  }

  @Test
  void isTheBlockThatOthersGet() {
    cache.cacheBlock(KEY, TestBlocks.withNextBlock(1, 4711, SIZE, 12345));
    HFileBlock block = dataBlock();
    assertThat(TestBlocks.difference(block, 1, 4711)).isNull();
    assertThat(TestBlocks.nextBlockOnDiskSize(block)).isEqualTo(12345);
    HFileBlock other = (HFileBlock) cache.getBlock(KEY, true, false, true);
    ByteBuffer expected = ByteBuffer.allocate(other.getSerializedLength());
    other.serialize(expected, true);
    ByteBuffer serialized = ByteBuffer.allocate(block.getSerializedLength());
    block.serialize(serialized, true);
    assertThat(serialized).isEqualTo(expected);
    assertThat(block.isUnpacked()).isTrue();
    other.release();
    block.release();
    assertThat(cache.getStats().getHitCount()).isEqualTo(2);
  }

  @Test
  void isHeldUntilItsLastRelease() {
    cache.cacheBlock(KEY, TestBlocks.heap(1, 4711, SIZE));
    HFileBlock block = dataBlock();
    block.retain();
    assertThat(cache.evictBlock(KEY)).isTrue();
    assertThat(dataBlock()).isNull();
    assertThat(block.release()).isFalse();
    assertThat(TestBlocks.difference(block, 1, 4711)).isNull();
    assertThat(block.release()).isTrue();
    assertThat(block.refCnt()).isZero();
    assertThatThrownBy(block::release).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(block::retain).isInstanceOf(IllegalStateException.class);
  }

  /** A rewind of the shared buffer would take its mark away. */
  @Test
  void aHitWritesToNoBufferThatAllHitsShare() {
    cache.cacheBlock(KEY, TestBlocks.heap(1, 4711, SIZE));
    UncopiedBlock.NOTHING.mark();
    dataBlock().release();
    assertThat(UncopiedBlock.NOTHING.reset()).isSameAs(UncopiedBlock.NOTHING);
  }

  @Test
  void hasAnIndexIfItHasCells() {
    cache.cacheBlock(KEY, TestBlocks.heap(1, 4711, SIZE));
    BlockCacheKey cells = new BlockCacheKey(FILE, 8000);
    HFileBlock source =
        CellBlocks.block(CellBlocks.cells(new SplittableRandom(1), 300, 100), true, 8000);
    cache.cacheBlock(cells, source);
    HFileBlock without = dataBlock();
    assertThat(((AddressedBlock) without).index()).isEqualTo(AddressedBlock.NO_INDEX);
    HFileBlock with = cache.dataBlock(FILE, 8000, true, true);
    assertThat(((AddressedBlock) with).index())
        .isBetween(source.getBufferReadOnly().limit(), source.getBufferReadOnly().limit() + 7);
    HFileBlock other = (HFileBlock) cache.getBlock(cells, true, false, true);
    assertThat(other).isEqualTo(source);
    other.release();
    with.release();
    without.release();
  }

  /** The cache has holes for blocks of this size only without their indexes. */
  @Test
  void isReadInPlaceIfItsIndexIsApart() {
    HFileBlock source =
        CellBlocks.block(CellBlocks.cells(new SplittableRandom(1), 300, 100), true, 8000);
    int length = source.getBufferReadOnly().limit();
    int fillers = (16 << 20) / length;
    for (int i = 0; i < fillers; i++) {
      BlockCacheKey key = new BlockCacheKey("filler", i);
      cache.cacheBlock(key, TestBlocks.heap(1, i, length + 8 - TestBlocks.HEADER));
    }
    for (int i = 0; i < fillers; i += 2) {
      cache.evictBlock(new BlockCacheKey("filler", i));
    }
    long offset = 8000;
    HFileBlock block = null;
    // The first ones fill the end of the memory.
    while (block == null || ((AddressedBlock) block).indexMemory() == null) {
      if (block != null) {
        block.release();
      }
      offset++;
      assertThat(offset).isLessThan(8000 + fillers);
      HFileBlock next =
          CellBlocks.block(CellBlocks.cells(new SplittableRandom(1), 300, 100), true, offset);
      cache.cacheBlock(new BlockCacheKey(FILE, offset), next);
      block = cache.dataBlock(FILE, offset, true, true);
    }
    AddressedBlock addressed = (AddressedBlock) block;
    assertThat(addressed.index()).isZero();
    assertThat(addressed.memory().bytes()).isEqualTo(length);
    assertThat(block.getBufferReadOnly().limit()).isEqualTo(length);
    assertThat(block.getSerializedLength()).isEqualTo(length + HFileBlock.BLOCK_METADATA_SPACE);
    HFileBlock other =
        (HFileBlock) cache.getBlock(new BlockCacheKey(FILE, offset), true, false, true);
    assertThat(other.getBufferReadOnly()).isEqualTo(source.getBufferReadOnly());
    assertThat(block.getBufferReadOnly()).isEqualTo(source.getBufferReadOnly());
    Memory index = addressed.indexMemory();
    assertThat(addressed.indexMemory()).isSameAs(index);
    assertThat(index.bytes()).isPositive();
    other.release();
    block.release();
    assertThat(index.bytes()).isZero();
    assertThatThrownBy(addressed::indexMemory).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void hasAnIndexAfterAHeaderWithoutChecksums() {
    HFileBlock cells =
        CellBlocks.block(CellBlocks.cells(new SplittableRandom(1), 300, 100), true, 8000);
    int contents = cells.getUncompressedSizeWithoutHeader();
    int header = HConstants.HFILEBLOCK_HEADER_SIZE_NO_CHECKSUM;
    ByteBuffer bytes = ByteBuffer.allocate(header + contents);
    bytes.put(header, cells.getBufferReadOnly().toBytes(TestBlocks.HEADER, contents));
    HFileBlock source =
        new HFileBlock(
            BlockType.DATA,
            contents,
            contents,
            -1,
            ByteBuff.wrap(bytes),
            HFileBlock.FILL_HEADER,
            8000,
            -1,
            header + contents,
            new HFileContextBuilder().withHBaseCheckSum(false).withIncludesMvcc(true).build(),
            ByteBuffAllocator.HEAP);
    cache.cacheBlock(new BlockCacheKey(FILE, 8000), source);
    HFileBlock block = cache.dataBlock(FILE, 8000, true, true);
    assertThat(((AddressedBlock) block).index()).isEqualTo(BlockIndexer.indexOffset(bytes.limit()));
    assertThat(block.getBufferReadOnly().limit()).isEqualTo(bytes.limit());
    assertThat(block.getSerializedLength()).isEqualTo(source.getSerializedLength());
    block.release();
  }

  @Test
  void tellsNothingAfterItsLastRelease() {
    cache.cacheBlock(KEY, TestBlocks.heap(1, 4711, SIZE));
    HFileBlock block = dataBlock();
    block.release();
    assertThatThrownBy(((AddressedBlock) block)::index).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(((AddressedBlock) block)::memory)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("DATA at 4711");
    assertThatThrownBy(block::getSerializedLength).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void isFoundByTheNameOfAReference() {
    cache.cacheBlock(KEY, TestBlocks.heap(1, 4711, SIZE));
    HFileBlock block =
        cache.dataBlock(FILE + ".9d5ba0ab8d7e4d1c9b1e1d8b3d8e1f01", 4711, true, true);
    assertThat(TestBlocks.difference(block, 1, 4711)).isNull();
    block.release();
  }

  /** A block that is not at its key's offset is stored serialized. */
  @Test
  void isNotMadeOfASerializedBlock() {
    cache.cacheBlock(new BlockCacheKey(FILE, 1), TestBlocks.heap(1, 4711, SIZE));
    assertThat(cache.dataBlock(FILE, 1, true, true)).isNull();
    assertThat(cache.store().pinnedBytes()).isZero();
  }

  @Test
  void isCachedWithoutAnIndexIfTheIndexerFails() {
    cache.cacheBlock(KEY, new Unindexable());
    assertThat(cache.metrics().unindexedBlocks()).isOne();
    HFileBlock block = dataBlock();
    assertThat(((AddressedBlock) block).index()).isEqualTo(AddressedBlock.NO_INDEX);
    block.release();
  }

  private static final class Unindexable extends HFileBlock {
    Unindexable() {
      super(
          BlockType.DATA,
          SIZE,
          SIZE,
          -1,
          ByteBuff.wrap(ByteBuffer.allocate(TestBlocks.HEADER + SIZE)),
          FILL_HEADER,
          KEY.getOffset(),
          -1,
          TestBlocks.HEADER + SIZE,
          TestBlocks.verifiedContext(),
          ByteBuffAllocator.HEAP);
    }

    @Override
    public int headerSize() {
      throw new IllegalStateException("no header");
    }
  }

  @Test
  void isNotReadBeyondItsEndWhenItsHeaderLies() {
    for (int size : new int[] {1 << 20, Integer.MAX_VALUE, -1}) {
      HFileBlock source =
          CellBlocks.block(CellBlocks.cells(new SplittableRandom(1), 300, 100), true, 4711);
      source.getBufferReadOnly().nioByteBuffers()[0].putInt(UNCOMPRESSED_SIZE, size);
      cache.evictBlock(KEY);
      cache.cacheBlock(KEY, source);
      HFileBlock block = dataBlock();
      BlockCursor cursor =
          new PlainBlockCursor(
              new Path(FILE), new CellFormat(false, true, true), CellComparator.getInstance());
      assertThatThrownBy(() -> cursor.open(block))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("length of contents " + size);
      block.release();
    }
  }

  @Test
  void isAMissIfItsTypeIsNone() {
    HFileBlock source = TestBlocks.heap(1, 4711, SIZE);
    source.getBufferReadOnly().nioByteBuffers()[0].put(CHECKSUM_TYPE, Byte.MAX_VALUE);
    cache.cacheBlock(KEY, source);
    assertThat(dataBlock()).isNull();
  }

  @Test
  void aMissIsNotCounted() {
    assertThat(dataBlock()).isNull();
    assertThat(cache.getStats().getMissCount()).isZero();
  }
}
