package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.fastpath.offheap.memory.Memory;

/**
 * A data block in one piece of a cache's memory, with its {@link BlockIndex} behind it. For all
 * code but the off-heap reader it is an ordinary block. A holder of the block also holds the index.
 */
public final class IndexedBlock extends HFileBlock implements AddressedBlock {
  private final ByteBuffer buffer;
  private final RefCnt pin;
  private final int index;

  /**
   * Creates a block over a buffer.
   *
   * @param buffer the block with its header from 0 to {@code length}, the index behind it
   * @param length bytes of the block with its header
   * @param index position of the index
   * @param pin holds the memory; if it is a {@link MemoryOwner}, the memory ends with it
   */
  public IndexedBlock(
      BlockType type,
      int onDiskSizeWithoutHeader,
      int uncompressedSizeWithoutHeader,
      long previousOffset,
      ByteBuffer buffer,
      int length,
      int index,
      RefCnt pin,
      long offset,
      int nextBlockOnDiskSize,
      int onDiskDataSizeWithHeader,
      HFileContext context,
      ByteBuffAllocator allocator) {
    super(
        type,
        onDiskSizeWithoutHeader,
        uncompressedSizeWithoutHeader,
        previousOffset,
        ByteBuff.wrap(new ByteBuffer[] {buffer.slice(0, length)}, pin),
        DONT_FILL_HEADER,
        offset,
        nextBlockOnDiskSize,
        onDiskDataSizeWithHeader,
        context,
        allocator);
    this.buffer = buffer;
    this.pin = pin;
    this.index = index;
  }

  @Override
  public Memory memory() {
    return pin instanceof MemoryOwner owner ? owner.memory() : Memory.of(buffer);
  }

  @Override
  public ByteBuffer buffer() {
    return buffer;
  }

  @Override
  public int index() {
    return index;
  }
}
