package org.fastpath.offheap.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.fastpath.offheap.reader.AddressedBlock;

/**
 * A cached data block for the off-heap reader. A hit of HBase's kind makes a block, its reference
 * count, a buffer and a wrapper of the buffer. This is the first two in one object; buffers are
 * made for who asks, which the off-heap reader does once and others never.
 *
 * <p>As any block it may be released from another thread than the one that reads it.
 */
final class PinnedBlock extends HFileBlock implements AddressedBlock {
  private static final VarHandle HOLDERS = holders();
  private static final ByteBuff NOTHING =
      ByteBuff.wrap(new ByteBuffer[] {ByteBuffer.allocate(0)}, RefCnt.create());

  private final BlockCodec codec;
  private final BlockTable table;
  private final int ticket;
  private volatile int holders = 1;

  PinnedBlock(
      BlockType type,
      int onDiskSizeWithoutHeader,
      int uncompressedSizeWithoutHeader,
      long previousOffset,
      long offset,
      int nextBlockOnDiskSize,
      int onDiskDataSizeWithHeader,
      HFileContext context,
      ByteBuffAllocator allocator,
      BlockCodec codec,
      BlockTable table,
      int ticket) {
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
    this.codec = codec;
    this.table = table;
    this.ticket = ticket;
  }

  private static VarHandle holders() {
    try {
      return MethodHandles.lookup().findVarHandle(PinnedBlock.class, "holders", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private int entry() {
    return BlockTable.Ticket.entry(ticket);
  }

  @Override
  public ByteBuffer memory() {
    return codec.memory(entry());
  }

  @Override
  public int index() {
    return codec.index(entry());
  }

  // Reference counting.

  @Override
  public int refCnt() {
    return holders;
  }

  @Override
  public HFileBlock retain() {
    if ((int) HOLDERS.getAndAdd(this, 1) <= 0) {
      HOLDERS.getAndAdd(this, -1);
      throw new IllegalStateException("retained after its last release: " + this);
    }
    return this;
  }

  @Override
  public boolean release() {
    int before = (int) HOLDERS.getAndAdd(this, -1);
    if (before < 1) {
      HOLDERS.getAndAdd(this, 1);
      throw new IllegalStateException("released more often than retained: " + this);
    }
    if (before == 1) {
      codec.closed(this);
      table.release(ticket);
    }
    return before == 1;
  }

  @Override
  public HFileBlock touch() {
    return this;
  }

  @Override
  public HFileBlock touch(Object hint) {
    return this;
  }

  // What others look at.

  @Override
  public ByteBuff getBufferReadOnly() {
    return codec.view(entry());
  }

  @Override
  public boolean isUnpacked() {
    return true;
  }

  @Override
  public int getSerializedLength() {
    return getBufferReadOnly().limit() + BLOCK_METADATA_SPACE;
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
    return "PinnedBlock[type=" + getBlockType() + "]";
  }
}
