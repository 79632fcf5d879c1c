package org.fastpath.offheap.restart;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.fastpath.offheap.index.BlockFlags;
import org.fastpath.offheap.index.CachedFile;
import org.fastpath.offheap.memory.ExtentAllocator;
import org.fastpath.offheap.store.BlockStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores the recorded blocks of an earlier process, once, at the start. It trusts nothing in the
 * file. It checks each record. Then the allocator checks the memory of each ({@link
 * ExtentAllocator#rebuild}). Then the index takes blocks with unique keys. A wrong record is
 * cleared before its memory is used again.
 *
 * <p>Except for some counters, its heap memory is temporary.
 */
public final class Restoration implements ExtentAllocator.Claims {
  private static final Logger LOG = LoggerFactory.getLogger(Restoration.class);

  /** Blocks or records after which progress is reported. */
  private static final int REPORTED = 1 << 22;

  private static final BlockType[] TYPES = BlockType.values();

  private final CacheFile file;
  private final BlockRecords records;
  private final long begin = System.nanoTime();
  private String[] names = {};
  private long[] nameHashes = {};

  /** The limit of record numbers. */
  private int highest;

  private int refused;
  private int blocks;
  private long bytes;

  private Restoration(CacheFile file, BlockRecords records) {
    this.file = file;
    this.records = records;
  }

  /** Reads the records of a file. */
  public static Restoration of(CacheFile file, BlockRecords records) {
    Restoration restoration = new Restoration(file, records);
    if (file.inherited()) {
      restoration.readNames();
      restoration.readRecords();
    }
    return restoration;
  }

  private void readNames() {
    names = new String[records.names()];
    nameHashes = new long[names.length];
    for (int slot = 0; slot < names.length; slot++) {
      names[slot] = records.name(slot);
      nameHashes[slot] = names[slot] == null ? 0 : CachedFile.hash(names[slot]);
    }
  }

  private void readRecords() {
    for (int entry = 0; entry < records.entries(); entry++) {
      ByteBuffer record = records.record(entry);
      if (RecordDescriptor.isThere(record)) {
        if (isPlausible(record)) {
          highest = entry + 1;
        } else {
          refuse(entry);
        }
      }
      report("records read", entry + 1, records.entries());
    }
  }

  private void report(String what, int done, int all) {
    if (done % REPORTED == 0) {
      LOG.info("{}: {} of {} {}", file.path(), done, all, what);
    }
  }

  private boolean isPlausible(ByteBuffer record) {
    int slot = RecordDescriptor.slot(record);
    return RecordDescriptor.isSound(record)
        && slot >= 0
        && slot < names.length
        && names[slot] != null
        && nameHashes[slot] == RecordDescriptor.nameHash(record)
        && RecordDescriptor.offset(record) >= 0
        && RecordDescriptor.length(record) > 0
        && isType(RecordDescriptor.type(record));
  }

  // Returns the number of claims. A claim has the number of its record.

  @Override
  public int count() {
    return highest;
  }

  @Override
  public long location(int claim) {
    ByteBuffer record = records.record(claim);
    return RecordDescriptor.isThere(record)
        ? RecordDescriptor.location(record)
        : ExtentAllocator.NONE;
  }

  @Override
  public int length(int claim) {
    return RecordDescriptor.length(records.record(claim));
  }

  @Override
  public void refuse(int claim) {
    if (RecordDescriptor.isThere(records.record(claim))) {
      records.removed(claim);
      refused++;
    }
  }

  private static boolean isType(byte type) {
    return type >= 0 && type < TYPES.length;
  }

  /**
   * Puts the accepted blocks into the cache, unverified.
   *
   * @param allocator the number of their buffer allocator
   */
  public void restore(BlockStore store, byte allocator) {
    store.beginRestore(highest);
    for (int entry = highest - 1; entry >= 0; entry--) {
      restore(entry, store, allocator);
      report("blocks put back", highest - entry, highest);
    }
    names = new String[0];
    nameHashes = new long[0];
    if (file.inherited()) {
      LOG.info(
          "Restored {} blocks of {} files, {} bytes, from {} in {} ms; {} records were incomplete",
          blocks,
          store.files().size(),
          bytes,
          file.path(),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin),
          refused);
    }
  }

  private void restore(int entry, BlockStore store, byte allocator) {
    ByteBuffer record = records.record(entry);
    if (!RecordDescriptor.isThere(record)) {
      store.skip(entry);
      return;
    }
    int length = RecordDescriptor.length(record);
    if (store.restore(entry, recorded(record, store, allocator))) {
      blocks++;
      bytes += length;
    } else {
      refuse(entry);
    }
  }

  private BlockStore.Recorded recorded(ByteBuffer record, BlockStore store, byte allocator) {
    int slot = RecordDescriptor.slot(record);
    byte type = RecordDescriptor.type(record);
    long location = RecordDescriptor.location(record);
    return new BlockStore.Recorded(
        names[slot],
        slot,
        RecordDescriptor.offset(record),
        RecordDescriptor.length(record),
        location,
        type,
        TYPES[type].isData(),
        BlockFlags.restored(RecordDescriptor.flags(record), store.isWhole(location)),
        allocator,
        RecordDescriptor.nextBlockOnDiskSize(record),
        RecordDescriptor.cachedAt(record),
        RecordDescriptor.inMemory(record));
  }

  public int blocks() {
    return blocks;
  }

  /** Returns the number of rejected records. */
  public int refused() {
    return refused;
  }

  public long bytes() {
    return bytes;
  }
}
