package org.fastpath.offheap.cache;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;

/**
 * The tables of the cache's file in which blocks are recorded, so that a later process finds them:
 * see {@link WarmRestart}.
 *
 * <p>Names are given and taken under the cache's lock. A record is written by who fills the block
 * and holds it, and cleared by who removes the block, under the lock; a reader that holds a block
 * may read its record.
 */
final class BlockRecords {
  /** The file's blocks are not recorded. */
  static final int NO_SLOT = -1;

  private final CacheMemory tables;
  private final CacheFileLayout layout;
  private final BitSet slotsInUse = new BitSet();

  BlockRecords(CacheFile file) {
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
  void name(CachedFile file) {
    int slot = slotsInUse.nextClearBit(0);
    if (slot < layout.names() && NameDescriptor.write(slot(slot), file.name())) {
      occupy(file, slot);
    }
  }

  /** Lets a file have the slot in which its name is already. */
  void occupy(CachedFile file, int slot) {
    slotsInUse.set(slot);
    file.slot(slot);
  }

  /** Takes the slot of a file without blocks back. */
  void forget(CachedFile file) {
    if (file.slot() != NO_SLOT) {
      NameDescriptor.clear(slot(file.slot()));
      slotsInUse.clear(file.slot());
      file.slot(NO_SLOT);
    }
  }

  // Records.

  /** Records a block that is filled and not published yet. */
  void write(Entries entries, int entry, CachedFile file, int slot, int crc, boolean inMemory) {
    ByteBuffer record = record(entry);
    RecordDescriptor.clear(record);
    RecordDescriptor.file(record, slot, file.hash());
    RecordDescriptor.block(
        record, entries.offset(entry), entries.length(entry), entries.location(entry), crc);
    RecordDescriptor.kind(
        record,
        entries.type(entry),
        entries.flags(entry),
        inMemory,
        entries.nextBlockOnDiskSize(entry));
    RecordDescriptor.cachedAt(record, System.currentTimeMillis());
    RecordDescriptor.seal(record);
  }

  /** The block is not there any more, or will not be. */
  void clear(int entry) {
    RecordDescriptor.clear(record(entry));
  }
}
