package org.fastpath.offheap.cache;

import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.fastpath.offheap.memory.Hold;

/** A data block in memory that another object holds, such as a mapped replica. */
public final class PinnedBlock extends UncopiedBlock {
  private final Hold hold;
  private final int length;
  private final int index;

  /**
   * Takes over a hold.
   *
   * @param length bytes of the block with its header
   * @param index where the index begins, or {@link #NO_INDEX}
   */
  public PinnedBlock(
      BlockType type,
      int onDiskSizeWithoutHeader,
      int uncompressedSizeWithoutHeader,
      long previousOffset,
      long offset,
      int nextBlockOnDiskSize,
      int onDiskDataSizeWithHeader,
      HFileContext context,
      ByteBuffAllocator allocator,
      Hold hold,
      int length,
      int index) {
    super(
        type,
        onDiskSizeWithoutHeader,
        uncompressedSizeWithoutHeader,
        previousOffset,
        offset,
        nextBlockOnDiskSize,
        onDiskDataSizeWithHeader,
        context,
        allocator);
    this.hold = hold;
    this.length = length;
    this.index = index;
  }

  @Override
  Hold hold() {
    return hold;
  }

  @Override
  int length() {
    return length;
  }

  @Override
  public int index() {
    return index;
  }
}
