package org.fastpath.offheap.restart;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import org.fastpath.offheap.index.CachedFile;
import org.fastpath.offheap.memory.CacheMemory;
import org.fastpath.offheap.store.HeldBlock;
import org.fastpath.offheap.store.Persistence;

/**
 * The tables of block records in the cache's file, for a later process: see {@link WarmRestart}.
 *
 * <p>The cache's lock guards names. The thread that fills a block writes its record. The thread
 * that removes a block clears the record under the lock. A reader may read the record of a pinned
 * block.
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

  /** Returns a record, which {@link RecordDescriptor} reads. */
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

  /** Returns the name in a slot, or null. */
  String name(int slot) {
    return NameDescriptor.read(slot(slot));
  }

  /** Assigns a slot to a file, if there is one and its name fits. */
  @Override
  public void named(CachedFile file) {
    int slot = slotsInUse.nextClearBit(0);
    if (slot < layout.names() && NameDescriptor.write(slot(slot), file.name())) {
      restored(file, slot);
    }
  }

  /** Assigns the existing slot of its name to a file. */
  @Override
  public void restored(CachedFile file, int slot) {
    slotsInUse.set(slot);
    file.slot(slot);
  }

  /** Frees the slot of a file without blocks. */
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

  /** Clears the record of a block that is removed or was not published. */
  @Override
  public void removed(int entry) {
    RecordDescriptor.clear(record(entry));
  }

  @Override
  public boolean outlivesProcess() {
    return true;
  }
}
