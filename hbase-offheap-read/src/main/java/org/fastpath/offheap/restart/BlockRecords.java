package org.fastpath.offheap.restart;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import org.fastpath.offheap.index.CachedFile;
import org.fastpath.offheap.memory.CacheMemory;
import org.fastpath.offheap.store.HeldBlock;
import org.fastpath.offheap.store.Persistence;

/**
 * The tables of the cache's file in which blocks are recorded, so that a later process finds them:
 * see {@link WarmRestart}.
 *
 * <p>Names are given and taken under the cache's lock. A record is written by who fills the block
 * and holds it, and cleared by who removes the block, under the lock; a reader that holds a block
 * may read its record.
 */
public final class BlockRecords implements Persistence {
  private final CacheMemory tables;
  private final CacheFileLayout layout;
  private final BitSet slotsInUse = new BitSet();

  public BlockRecords(CacheFile file) {
    this.tables = file.tables();
    this.layout = file.layout();
  }

  int entries() {
    return layout.entries();
  }

  int names() {
    return layout.names();
  }

  /** A record, to be read by {@link RecordDescriptor}. */
  ByteBuffer record(int entry) {
    return at(layout.recordAt(entry), RecordDescriptor.BYTES);
  }

  private ByteBuffer slot(int slot) {
    return at(layout.nameAt(slot), NameDescriptor.BYTES);
  }

  private ByteBuffer at(long place, int bytes) {
    return tables
        .region(CacheMemory.regionOf(place))
        .slice(CacheMemory.offsetOf(place), bytes)
        .order(ByteOrder.nativeOrder());
  }

  // Names.

  /** The name in a slot, or null. */
  String name(int slot) {
    return NameDescriptor.read(slot(slot));
  }

  /** Gives a file a slot, if there is one and its name fits. */
  @Override
  public void named(CachedFile file) {
    int slot = slotsInUse.nextClearBit(0);
    if (slot < layout.names() && NameDescriptor.write(slot(slot), file.name())) {
      restored(file, slot);
    }
  }

  /** Lets a file have the slot in which its name is already. */
  @Override
  public void restored(CachedFile file, int slot) {
    slotsInUse.set(slot);
    file.slot(slot);
  }

  /** Takes the slot of a file without blocks back. */
  @Override
  public void forgotten(CachedFile file) {
    if (file.slot() != CachedFile.NO_SLOT) {
      NameDescriptor.clear(slot(file.slot()));
      slotsInUse.clear(file.slot());
      file.slot(CachedFile.NO_SLOT);
    }
  }

  // Records.

  /** Records a block that is filled and not published yet. */
  void write(HeldBlock block, CachedFile file, int slot, boolean inMemory) {
    ByteBuffer record = record(block.entry());
    RecordDescriptor.clear(record);
    RecordDescriptor.file(record, slot, file.hash());
    RecordDescriptor.block(
        record, block.offset(), block.length(), block.location(), block.checksum());
    RecordDescriptor.kind(
        record, block.type(), (byte) block.flags(), inMemory, block.nextBlockOnDiskSize());
    RecordDescriptor.cachedAt(record, System.currentTimeMillis());
    RecordDescriptor.seal(record);
  }

  /** The block is not there any more, or will not be. */
  @Override
  public void removed(int entry) {
    RecordDescriptor.clear(record(entry));
  }

  @Override
  public boolean outlivesProcess() {
    return true;
  }
}
