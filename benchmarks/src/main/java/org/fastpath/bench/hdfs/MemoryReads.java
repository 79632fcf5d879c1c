package org.fastpath.bench.hdfs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Copies out of memory of the process that holds all that the file holds: what a read that copies
 * takes at the least, however it finds its bytes.
 */
final class MemoryReads implements PositionalReads {
  private final List<ByteBuffer> blocks;
  private final int blockBytes;

  /** Fills memory in the pieces that the file's HDFS blocks are. */
  MemoryReads(DoubleFile file, int blockBytes) {
    this.blockBytes = blockBytes;
    blocks = file.inMemory(blockBytes);
  }

  @Override
  public Reader reader(int length) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
    return position -> {
      ByteBuffer block = blocks.get((int) (position / blockBytes));
      buffer.put(0, block, (int) (position % blockBytes), length);
      PositionalReads.checkEnds(buffer, position, length);
    };
  }
}
