package org.fastpath.offheap.cache;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.fastpath.offheap.index.BlockFlags;
import org.fastpath.offheap.memory.Hold;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.reader.BlockIndexer;
import org.fastpath.offheap.store.BlockStore;
import org.fastpath.offheap.store.Holders;
import org.fastpath.offheap.store.PinTicket;

/**
 * A data block of the cache, which is its own pin: a hit makes this object only. It has 80 bytes
 * with compressed references, of which HBase's block has 64. So lengths come from the block's
 * record.
 */
final class SelfPinnedBlock extends UncopiedBlock implements Hold {
  private static final Holders<SelfPinnedBlock> HOLDERS =
      new Holders<>(
          AtomicIntegerFieldUpdater.newUpdater(SelfPinnedBlock.class, "state"),
          AtomicReferenceFieldUpdater.newUpdater(SelfPinnedBlock.class, Memory.class, "view"));

  private final BlockStore store;
  private final int entry;

  // Fields of HOLDERS.
  private volatile int state;
  private volatile Memory view;

  /**
   * Takes over a pin.
   *
   * @param ticket a data block in one piece; its index may be apart
   */
  SelfPinnedBlock(
      BlockType type,
      int onDiskSizeWithoutHeader,
      int uncompressedSizeWithoutHeader,
      long previousOffset,
      int onDiskDataSizeWithHeader,
      HFileContext context,
      ByteBuffAllocator allocator,
      PinTicket ticket) {
    super(
        type,
        onDiskSizeWithoutHeader,
        uncompressedSizeWithoutHeader,
        previousOffset,
        ticket.offset(),
        ticket.nextBlockOnDiskSize(),
        onDiskDataSizeWithHeader,
        context,
        allocator);
    store = ticket.store();
    entry = ticket.entry();
    HOLDERS.begin(this, ticket);
  }

  /** Returns the number of the block's record in the store. */
  int entry() {
    return entry;
  }

  @Override
  Hold hold() {
    return this;
  }

  @Override
  public Memory memory() {
    return HOLDERS.memory(this, store, entry);
  }

  @Override
  public ByteBuffer buffer() {
    return HOLDERS.buffer(this, store, entry);
  }

  @Override
  public Memory indexMemory() {
    return HOLDERS.index(this, store, entry);
  }

  @Override
  public int index() {
    int flags = flags();
    if (!BlockFlags.has(flags, BlockFlags.INDEXED)) {
      return NO_INDEX;
    }
    return BlockFlags.has(flags, BlockFlags.INDEX_APART)
        ? 0
        : BlockIndexer.indexOffset(unpackedLength());
  }

  @Override
  int length() {
    return BlockFlags.has(flags(), BlockFlags.INDEXED)
        ? unpackedLength()
        : store.record(entry).length();
  }

  /** Throws after the last release, when the record may be another block's. */
  private int flags() {
    HOLDERS.requireHeld(this);
    return store.record(entry).flags();
  }

  private int unpackedLength() {
    return getUncompressedSizeWithoutHeader() + headerSize();
  }

  // Its holders.

  @Override
  public int holders() {
    return HOLDERS.count(this);
  }

  @Override
  public void addHolder() {
    HOLDERS.add(this);
  }

  @Override
  public boolean release() {
    return HOLDERS.release(this, store, entry);
  }
}
