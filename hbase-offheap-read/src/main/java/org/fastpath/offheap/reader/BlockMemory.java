package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;

/**
 * The location of a block's contents in one piece of memory.
 *
 * @param buffer the buffer of the contents; its position and limit have no meaning
 * @param start position of the contents' first byte in it
 * @param length bytes of contents, without the block's header
 */
record BlockMemory(ByteBuffer buffer, int start, int length) {
  private static final short NO_ENCODING = -1;

  /** Returns the contents, or null if the block is in several parts. */
  static BlockMemory of(HFileBlock block) {
    ByteBuff whole = block.getBufferReadOnly();
    ByteBuffer[] parts = whole.nioByteBuffers();
    if (parts.length != 1) {
      return null;
    }
    int header = block.headerSize();
    return new BlockMemory(parts[0], header, whole.limit() - header);
  }

  /** Like {@link #of}, but copies a block that is in several parts. */
  static BlockMemory ofWhole(HFileBlock block) {
    BlockMemory memory = of(block);
    if (memory != null) {
      return memory;
    }
    ByteBuff parts = block.getBufferReadOnly();
    ByteBuffer copy = ByteBuffer.allocate(parts.limit() - block.headerSize());
    parts.get(copy, block.headerSize(), copy.capacity());
    return new BlockMemory(copy, 0, copy.capacity());
  }

  /**
   * Returns the encoding of an encoded block.
   *
   * @throws IllegalArgumentException if no encoding has the id
   */
  DataBlockEncoding encoding() {
    return DataBlockEncoding.getEncodingById(
        length < DataBlockEncoding.ID_SIZE ? NO_ENCODING : buffer.getShort(start));
  }

  /** Returns an encoded block's contents behind the encoding's id. */
  BlockMemory encoded() {
    int id = DataBlockEncoding.ID_SIZE;
    return new BlockMemory(buffer, start + id, length - id);
  }
}
