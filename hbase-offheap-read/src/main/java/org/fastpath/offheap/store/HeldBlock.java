package org.fastpath.offheap.store;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.index.BlockFlags;
import org.fastpath.offheap.index.CachedFile;
import org.fastpath.offheap.index.Ticket;
import org.fastpath.offheap.memory.CacheMemory;
import org.fastpath.offheap.memory.ExtentAllocator;
import org.fastpath.offheap.memory.ExtentDescriptor;
import org.fastpath.offheap.memory.Memory;

/**
 * A block that the caller holds, so its record and its bytes are not reused. It is a {@link Pin} of
 * a reader or a {@link PinTicket} for one, the {@link Reservation} of a filling thread, or a {@link
 * BlockRecord}.
 */
public abstract sealed class HeldBlock permits BlockRecord, Pin, PinTicket, Reservation {
  final BlockStore store;
  private final int entry;

  /** The slab of its record. */
  private final Memory slab;

  HeldBlock(BlockStore store, long ticket) {
    this(store, Ticket.entry(ticket));
  }

  HeldBlock(BlockStore store, int entry) {
    this.store = store;
    this.entry = entry;
    slab = store == null ? null : store.entries.slab(entry);
  }

  /** Makes another one of the same block. */
  HeldBlock(HeldBlock same) {
    store = same.store;
    entry = same.entry;
    slab = same.slab;
  }

  /** Returns the number of its record. */
  public final int entry() {
    return entry;
  }

  final BlockEntries entries() {
    return store.entries;
  }

  final ExtentAllocator extents() {
    return store.extents;
  }

  /** Returns the offset of the block in its HFile. */
  public final long offset() {
    return BlockEntries.offset(slab, entry);
  }

  /** Returns its HFile; null if no block of it is cached any more. */
  public final CachedFile file() {
    return store.file(BlockEntries.file(slab, entry));
  }

  /** Returns the bytes in the cache's memory. */
  public final int length() {
    return BlockEntries.length(slab, entry);
  }

  public final byte type() {
    return BlockEntries.type(slab, entry);
  }

  /** Returns whether it is a data block. */
  public final boolean isData() {
    return BlockEntries.isData(slab, entry);
  }

  /** Returns its {@link org.fastpath.offheap.index.BlockFlags}. */
  public final int flags() {
    return BlockEntries.flags(slab, entry);
  }

  public final void flags(int flags) {
    entries().flags(entry(), (byte) flags);
  }

  public final int nextBlockOnDiskSize() {
    return BlockEntries.nextBlockOnDiskSize(slab, entry);
  }

  public final void nextBlockOnDiskSize(int size) {
    entries().nextBlockOnDiskSize(entry(), size);
  }

  /** Returns the number of its buffer allocator. */
  public final byte allocator() {
    return BlockEntries.allocator(slab, entry);
  }

  public final void allocator(byte allocator) {
    entries().allocator(entry(), allocator);
  }

  /** Returns the time of its insertion, by {@link System#nanoTime}, to the second. */
  public final long cachedAtNanos() {
    return store.cachedAtNanos(entry());
  }

  /** Returns the location of its first extent. */
  public final long location() {
    return BlockEntries.location(slab, entry);
  }

  // The place of its bytes.

  /** Returns whether the bytes, with an index, are in one piece. */
  public final boolean isWhole() {
    return !BlockFlags.has(flags(), BlockFlags.MULTI_PART);
  }

  /** Returns the region of the first part, for reading several numbers. */
  public final Memory region() {
    return region(location());
  }

  /** Returns the region of the first part, which is at {@link #location}. */
  public final Memory region(long location) {
    return extents().memory().memory(CacheMemory.regionOf(location));
  }

  /** Returns the offset of the first part's bytes in its region. */
  public final long start() {
    return start(location(), isWhole());
  }

  /** Returns the offset of bytes in their region for a first part at a location. */
  public static long start(long location, boolean whole) {
    return CacheMemory.offsetOf(location) + ExtentDescriptor.header(whole);
  }

  /** Returns a view of the bytes, which are in one piece; without an index that is apart. */
  final Memory view() {
    return isWhole()
        ? region().view(start(), length())
        : extents().view(requireTogether().location());
  }

  /** Returns the same as a buffer in big-endian byte order. */
  final ByteBuffer viewedBuffer() {
    return isWhole()
        ? region().buffer(start(), length())
        : extents().slice(requireTogether().location());
  }

  private HeldBlock requireTogether() {
    if (!BlockFlags.isTogether(flags())) {
      throw new IllegalStateException("block is in several parts: " + this);
    }
    return this;
  }

  /** Returns a view of an index that is apart, otherwise null. */
  final Memory indexView() {
    long part =
        BlockFlags.has(flags(), BlockFlags.INDEX_APART)
            ? extents().nextPart(location())
            : ExtentAllocator.NONE;
    return part == ExtentAllocator.NONE ? null : extents().view(part);
  }

  /** Returns the number of its parts. */
  public final int parts() {
    return extents().parts(location());
  }

  /** Returns its bytes, a buffer for each part, in big-endian byte order. */
  public final ByteBuffer[] buffers() {
    ByteBuffer[] buffers = new ByteBuffer[parts()];
    long part = location();
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = extents().slice(part);
      part = extents().nextPart(part);
    }
    return buffers;
  }

  /** Returns the CRC32C of its bytes. */
  public final int checksum() {
    CRC32C crc = new CRC32C();
    for (ByteBuffer part : buffers()) {
      crc.update(part);
    }
    return (int) crc.getValue();
  }
}
