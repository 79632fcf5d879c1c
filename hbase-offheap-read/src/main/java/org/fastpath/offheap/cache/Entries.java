package org.fastpath.offheap.cache;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What is known of each cached block: one record of 64 bytes, a cache line, off the heap. A block
 * is named by the number of its record, from 0; {@link #NONE} is no block.
 *
 * <pre>
 *  offset
 *    0  +-------------------------------+-------------------------------+
 *       | state: generation, life (BlockTable)                          |
 *    8  +---------------------------------------------------------------+
 *       | offset of the block in its HFile (the key, with the file)     |
 *   16  +-------------------------------+-------------------------------+
 *       | file: number of the HFile     | length in memory, bytes       |
 *   24  +-------------------------------+-------------------------------+
 *       | location: where its bytes are (ExtentAllocator)               |
 *   32  +-------------------------------+-------------------------------+
 *       | previous block of this file   | next block of this file       |
 *   40  +-------------------------------+-------------------------------+
 *       | previous in the policy's list | next in the policy's list     |
 *   48  +-------------------------------+-------+-------+-------+-------+
 *       | size on disk of the next block| type  | flags | queue | alloc.|
 *   56  +-------------------------------+-------+-------+-------+-------+
 *       | cached at, s since the start  | word of the policy (racy)     |
 *   64  +-------------------------------+-------------------------------+
 * </pre>
 *
 * <p>The state belongs to {@link BlockTable}, previous, next, queue and word to the {@link
 * EvictionPolicy}; what is named key, length, location, type, flags and allocator is written before
 * a block becomes visible and never after, so that readers who found it visible may read it without
 * a lock. Records are in slabs that are allocated as they are needed and stay until the cache is
 * closed: a late reader of a record that was given to another block reads stale fields, never
 * memory that is not ours.
 *
 * <p>Reading is safe from any thread; allocating and freeing is not, and belongs under the cache's
 * lock.
 */
final class Entries {
  static final int NONE = -1;
  static final int BYTES = 64;

  private static final int SLAB_SHIFT = 16;
  private static final int SLAB = 1 << SLAB_SHIFT;
  private static final int IN_SLAB = SLAB - 1;

  private static final int STATE = 0;
  private static final int OFFSET = 8;
  private static final int FILE = 16;
  private static final int LENGTH = 20;
  private static final int LOCATION = 24;
  private static final int FILE_PREVIOUS = 32;
  private static final int FILE_NEXT = 36;
  private static final int POLICY_PREVIOUS = 40;
  private static final int POLICY_NEXT = 44;
  private static final int NEXT_ON_DISK_SIZE = 48;
  private static final int TYPE = 52;
  private static final int FLAGS = 53;
  private static final int QUEUE = 54;
  private static final int ALLOCATOR = 55;
  private static final int CACHED_AT = 56;
  private static final int POLICY_WORD = 60;

  /** The bit of a type that says that it is one of data blocks. */
  private static final int DATA = 0x80;

  private volatile int capacity;
  private volatile long[] addresses = {};
  private ByteBuffer[] slabs = {};

  /** The head of a list of free records, linked by {@link #FILE_NEXT}. */
  private int free = NONE;

  private volatile int allocated;
  private int inUse;

  /**
   * @param capacity the most blocks
   */
  Entries(int capacity) {
    this.capacity = capacity;
  }

  /** The most blocks that there can be. */
  int capacity() {
    return capacity;
  }

  /** Blocks that there are. */
  int inUse() {
    return inUse;
  }

  /** Records that were ever in use: block numbers are below. */
  int highest() {
    return allocated;
  }

  /** Memory taken so far. */
  long bytes() {
    return (long) addresses.length * SLAB * BYTES;
  }

  /** A larger cache may hold more blocks; a smaller one keeps its records. */
  void grow(int capacity) {
    this.capacity = Math.max(this.capacity, capacity);
  }

  /** There is no memory for more records: blocks share those that there are. */
  void stopGrowing() {
    capacity = allocated;
  }

  /** A record that nobody uses, or {@link #NONE} when all are in use. */
  int allocate() {
    int entry = free;
    if (entry != NONE) {
      free = fileNext(entry);
    } else if (allocated < capacity) {
      entry = allocated;
      if ((entry >>> SLAB_SHIFT) == slabs.length) {
        addSlab();
      }
      allocated = entry + 1;
    } else {
      return NONE;
    }
    inUse++;
    return entry;
  }

  /** At the start: all records below are in use until they are freed. */
  void occupy(int highest) {
    while ((long) slabs.length << SLAB_SHIFT < highest) {
      addSlab();
    }
    allocated = highest;
    inUse = highest;
  }

  void free(int entry) {
    fileNext(entry, free);
    free = entry;
    inUse--;
  }

  private void addSlab() {
    ByteBuffer slab = OffHeap.allocate(SLAB * BYTES);
    slabs = Arrays.copyOf(slabs, slabs.length + 1);
    slabs[slabs.length - 1] = slab;
    long[] more = Arrays.copyOf(addresses, slabs.length);
    more[slabs.length - 1] = OffHeap.address(slab);
    addresses = more;
  }

  private long address(int entry) {
    return addresses[entry >>> SLAB_SHIFT] + (long) (entry & IN_SLAB) * BYTES;
  }

  /** Where the state word is, for atomic operations. */
  long stateAddress(int entry) {
    return address(entry) + STATE;
  }

  long offset(int entry) {
    return OffHeap.getLong(address(entry) + OFFSET);
  }

  int file(int entry) {
    return OffHeap.getInt(address(entry) + FILE);
  }

  void key(int entry, int file, long offset) {
    OffHeap.putLong(address(entry) + OFFSET, offset);
    OffHeap.putInt(address(entry) + FILE, file);
  }

  int length(int entry) {
    return OffHeap.getInt(address(entry) + LENGTH);
  }

  void length(int entry, int length) {
    OffHeap.putInt(address(entry) + LENGTH, length);
  }

  long location(int entry) {
    return OffHeap.getLong(address(entry) + LOCATION);
  }

  void location(int entry, long location) {
    OffHeap.putLong(address(entry) + LOCATION, location);
  }

  int filePrevious(int entry) {
    return OffHeap.getInt(address(entry) + FILE_PREVIOUS);
  }

  void filePrevious(int entry, int previous) {
    OffHeap.putInt(address(entry) + FILE_PREVIOUS, previous);
  }

  int fileNext(int entry) {
    return OffHeap.getInt(address(entry) + FILE_NEXT);
  }

  void fileNext(int entry, int next) {
    OffHeap.putInt(address(entry) + FILE_NEXT, next);
  }

  int policyPrevious(int entry) {
    return OffHeap.getInt(address(entry) + POLICY_PREVIOUS);
  }

  void policyPrevious(int entry, int previous) {
    OffHeap.putInt(address(entry) + POLICY_PREVIOUS, previous);
  }

  int policyNext(int entry) {
    return OffHeap.getInt(address(entry) + POLICY_NEXT);
  }

  void policyNext(int entry, int next) {
    OffHeap.putInt(address(entry) + POLICY_NEXT, next);
  }

  int nextBlockOnDiskSize(int entry) {
    return OffHeap.getInt(address(entry) + NEXT_ON_DISK_SIZE);
  }

  void nextBlockOnDiskSize(int entry, int size) {
    OffHeap.putInt(address(entry) + NEXT_ON_DISK_SIZE, size);
  }

  byte type(int entry) {
    return (byte) (OffHeap.getByte(address(entry) + TYPE) & ~DATA);
  }

  boolean isData(int entry) {
    return (OffHeap.getByte(address(entry) + TYPE) & DATA) != 0;
  }

  /**
   * @param type from 0 to 127
   * @param data whether it is a type of data blocks
   */
  void type(int entry, byte type, boolean data) {
    OffHeap.putByte(address(entry) + TYPE, (byte) (data ? type | DATA : type));
  }

  byte flags(int entry) {
    return OffHeap.getByte(address(entry) + FLAGS);
  }

  void flags(int entry, byte flags) {
    OffHeap.putByte(address(entry) + FLAGS, flags);
  }

  byte queue(int entry) {
    return OffHeap.getByte(address(entry) + QUEUE);
  }

  void queue(int entry, byte queue) {
    OffHeap.putByte(address(entry) + QUEUE, queue);
  }

  byte allocator(int entry) {
    return OffHeap.getByte(address(entry) + ALLOCATOR);
  }

  void allocator(int entry, byte allocator) {
    OffHeap.putByte(address(entry) + ALLOCATOR, allocator);
  }

  int cachedAt(int entry) {
    return OffHeap.getInt(address(entry) + CACHED_AT);
  }

  void cachedAt(int entry, int seconds) {
    OffHeap.putInt(address(entry) + CACHED_AT, seconds);
  }

  /** The policy's word; readers update it without a lock, and may lose an update of each other. */
  int policyWord(int entry) {
    return OffHeap.getInt(address(entry) + POLICY_WORD);
  }

  void policyWord(int entry, int word) {
    OffHeap.putInt(address(entry) + POLICY_WORD, word);
  }
}
