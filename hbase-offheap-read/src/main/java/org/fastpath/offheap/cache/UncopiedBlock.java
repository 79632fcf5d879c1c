package org.fastpath.offheap.cache;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.fastpath.offheap.memory.Hold;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.reader.AddressedBlock;

/**
 * A data block for the off-heap reader, in memory that it holds. A hit in HBase makes a block, its
 * reference count, a buffer and a wrapper of the buffer. This class makes buffers on request.
 *
 * <p>Each view of the bytes ends with the last release: a late read throws. Any thread may release
 * it.
 */
abstract class UncopiedBlock extends HFileBlock implements AddressedBlock {
  /** The buffer of the superclass, which this class does not use. */
  static final ByteBuff NOTHING = new Nothing();

  /** Shared by all blocks: the constructor of a block rewinds it, which must not write. */
  private static final class Nothing extends SingleByteBuff {
    Nothing() {
      super(ByteBuffer.allocate(0));
    }

    @Override
    public SingleByteBuff rewind() {
      return this;
    }
  }

  UncopiedBlock(
      BlockType type,
      int onDiskSizeWithoutHeader,
      int uncompressedSizeWithoutHeader,
      long previousOffset,
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
        NOTHING,
        DONT_FILL_HEADER,
        offset,
        nextBlockOnDiskSize,
        onDiskDataSizeWithHeader,
        context,
        allocator);
  }

  /** Returns what holds the bytes. */
  abstract Hold hold();

  /** Returns the bytes of the block with its header, without an index. */
  abstract int length();

  @Override
  public Memory memory() {
    return hold().memory();
  }

  @Override
  public ByteBuffer buffer() {
    return hold().buffer();
  }

  @Override
  public Memory indexMemory() {
    return hold().indexMemory();
  }

  // Reference counting.

  @Override
  public int refCnt() {
    return hold().holders();
  }

  @Override
  public HFileBlock retain() {
    hold().addHolder();
    return this;
  }

  @Override
  public boolean release() {
    return hold().release();
  }

  @Override
  public HFileBlock touch() {
    return this;
  }

  @Override
  public HFileBlock touch(Object hint) {
    return this;
  }

  // Accessors for other code.

  @Override
  public ByteBuff getBufferReadOnly() {
    ByteBuffer bytes = buffer();
    int length = length();
    return ByteBuff.wrap(
        new ByteBuffer[] {bytes.capacity() == length ? bytes : bytes.slice(0, length)},
        new BlockPin(hold()));
  }

  @Override
  public boolean isUnpacked() {
    return true;
  }

  @Override
  public int getSerializedLength() {
    return length() + BLOCK_METADATA_SPACE;
  }

  @Override
  public void serialize(ByteBuffer destination, boolean includeNextBlockMetadata) {
    ByteBuff block = getBufferReadOnly();
    block.get(destination, 0, block.limit());
    destination.position(block.limit());
    destination.put(getMetaData(ByteBuffer.allocate(BLOCK_METADATA_SPACE)));
    destination.rewind();
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return getClass().getSimpleName()
        + "["
        + getBlockType()
        + " at "
        + getOffset()
        + ", "
        + refCnt()
        + " holders]";
  }
}
