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
 * Brings the blocks that an earlier process recorded back, once, at the start of this one. Nothing
 * in the file is believed: records are checked one by one, then the allocator is asked whether the
 * memory of each can be its ({@link ExtentAllocator#rebuild}), then the index takes those whose key
 * is there once. A record that fails is cleared before its memory can be used again.
 *
 * <p>What is needed of the heap goes with this object's making, but for the numbers.
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

  /** Records from here on do not count. */
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

  // What the allocator asks: claims have the numbers of their records.

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
   * Puts the blocks that are left into the cache, unverified.
   *
   * @param allocator the number of the allocator of buffers that they get
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
          "{} blocks of {} files, {} bytes, came back from {} in {} ms; {} were not whole",
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
      store.leaveOut(entry);
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

  /** Records that were there and did not count. */
  public int refused() {
    return refused;
  }

  public long bytes() {
    return bytes;
  }
}
