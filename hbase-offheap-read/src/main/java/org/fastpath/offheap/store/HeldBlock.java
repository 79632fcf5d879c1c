package org.fastpath.offheap.store;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.index.CachedFile;
import org.fastpath.offheap.index.Ticket;
import org.fastpath.offheap.memory.ExtentAllocator;
import org.fastpath.offheap.memory.Memory;

/**
 * A block that the caller holds, so its record and its bytes are not reused. It is a {@link Pin} of
 * a reader or the {@link Reservation} of a filling thread.
 */
public abstract sealed class HeldBlock permits Pin, Reservation {
  final BlockStore store;
  private final int entry;

  /** The slab of its record. */
  private final Memory slab;

  HeldBlock(BlockStore store, long ticket) {
    this.store = store;
    this.entry = Ticket.entry(ticket);
    slab = store == null ? null : store.entries.slab(entry);
  }

  /** Returns the number of its record. */
  public final int entry() {
    return entry;
  }

  /** Returns the slab of its record. */
  final Memory slab() {
    return slab;
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
