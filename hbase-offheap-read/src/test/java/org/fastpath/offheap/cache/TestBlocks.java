package org.fastpath.offheap.cache;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;

/**
 * HFile blocks whose contents say which they are: every eight bytes after the header are a function
 * of the block's key and their place.
 */
final class TestBlocks {
  static final int HEADER = HConstants.HFILEBLOCK_HEADER_SIZE;

  private TestBlocks() {}

  /** As HBase hands blocks to a cache: checksums verified and gone. */
  static HFileContext verifiedContext() {
    return new HFileContextBuilder()
        .withHBaseCheckSum(true)
        .withChecksumType(ChecksumType.NULL)
        .withBytesPerCheckSum(0)
        .build();
  }

  /** Returns a data block on heap; {@code size} bytes follow its header. */
  static HFileBlock heap(long seed, long offset, int size) {
    return block(ByteBuff.wrap(ByteBuffer.allocate(HEADER + size)), seed, offset, size, -1);
  }

  /** Returns a data block in direct memory, in parts of at most {@code part} bytes. */
  static HFileBlock direct(long seed, long offset, int size, int part) {
    int length = HEADER + size;
    ByteBuffer[] parts = new ByteBuffer[(length + part - 1) / part];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = ByteBuffer.allocateDirect(Math.min(part, length - i * part));
    }
    return block(ByteBuff.wrap(parts, ByteBuffAllocator.NONE), seed, offset, size, -1);
  }

  static HFileBlock withNextBlock(long seed, long offset, int size, int nextBlockOnDiskSize) {
    ByteBuff buffer = ByteBuff.wrap(ByteBuffer.allocate(HEADER + size));
    return block(buffer, seed, offset, size, nextBlockOnDiskSize);
  }

  /**
   * Returns a data block on heap as HBase reads it from a compressed file, before it unpacks it.
   */
  static HFileBlock packed(long seed, long offset, int size) {
    ByteBuff bytes = heap(seed, offset, size).getBufferReadOnly();
    bytes.rewind();
    return new HFileBlock(
        BlockType.DATA,
        size,
        2 * size,
        offset - 1000,
        bytes,
        HFileBlock.FILL_HEADER,
        offset,
        -1,
        HEADER + size,
        verifiedContext(),
        ByteBuffAllocator.HEAP);
  }

  private static HFileBlock block(
      ByteBuff buffer, long seed, long offset, int size, int nextBlockOnDiskSize) {
    buffer.position(HEADER);
    for (int i = 0; i + Long.BYTES <= size; i += Long.BYTES) {
      buffer.putLong(word(seed, offset, i));
    }
    buffer.rewind();
    return new HFileBlock(
        BlockType.DATA,
        size,
        size,
        offset - 1000,
        buffer,
        HFileBlock.FILL_HEADER,
        offset,
        nextBlockOnDiskSize,
        HEADER + size,
        verifiedContext(),
        ByteBuffAllocator.HEAP);
  }

  private static long word(long seed, long offset, int place) {
    return (seed * 0x9E3779B97F4A7C15L + offset) * 0xD6E8FEB86659FD93L + place;
  }

  /** By way of its serialized form: the getters are not public in each version of HBase. */
  static long offset(HFileBlock block) {
    return metadata(block).getLong(1);
  }

  static int nextBlockOnDiskSize(HFileBlock block) {
    return metadata(block).getInt(1 + Long.BYTES);
  }

  private static ByteBuffer metadata(HFileBlock block) {
    return block.getMetaData(ByteBuffer.allocate(HFileBlock.BLOCK_METADATA_SPACE));
  }

  /** Returns null if the block is equal to those of this class, otherwise the difference. */
  static String difference(HFileBlock block, long seed, long offset) {
    if (offset(block) != offset) {
      return "offset is " + offset(block) + ", not " + offset;
    }
    ByteBuff contents = block.getBufferWithoutHeader();
    int size = block.getUncompressedSizeWithoutHeader();
    if (contents.limit() != size) {
      return "limit is " + contents.limit() + ", not " + size;
    }
    for (int i = 0; i + Long.BYTES <= size; i += Long.BYTES) {
      long word = contents.getLong(i);
      if (word != word(seed, offset, i)) {
        return "at " + i + " is " + Long.toHexString(word);
      }
    }
    return null;
  }
}
