package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;

/**
 * Where the contents of a block are, if they are in one piece.
 *
 * @param buffer what they are in; its position and limit mean nothing
 * @param start the contents' first byte in it
 * @param length bytes of contents, without the block's header
 */
record BlockMemory(ByteBuffer buffer, int start, int length) {

  /** Null if the block is in several parts. */
  static BlockMemory of(HFileBlock block) {
    ByteBuff whole = block.getBufferReadOnly();
    ByteBuffer[] parts = whole.nioByteBuffers();
    if (parts.length != 1) {
      return null;
    }
    int header = block.headerSize();
    return new BlockMemory(parts[0], header, whole.limit() - header);
  }
}
