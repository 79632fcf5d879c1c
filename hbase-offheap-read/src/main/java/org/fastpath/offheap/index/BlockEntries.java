package org.fastpath.offheap.index;

import java.util.Arrays;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * The metadata of cached blocks: one record of 64 bytes, a cache line, per block, off the heap. The
 * number of its record, from 0, identifies a block; {@link #NONE} is no block.
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
 * <p>{@link BlockTable} owns the state; the eviction policy owns previous, next, queue and word.
 * Key, length, location, type and allocator are written only before a block becomes visible, so
 * readers need no lock. Of the flags, only {@link BlockFlags#UNVERIFIED} is cleared later. Records
 * are in slabs that are allocated on demand and stay until the cache is closed. A late reader of a
 * reused record reads stale fields, but never other memory.
 *
 * <p>Reading is thread-safe. Allocating and freeing need the cache's lock.
 */
public final class BlockEntries {
  /** No block. */
  public static final int NONE = -1;

  /** Bytes of a record. */
  public static final int BYTES = 64;

  /** Bytes of a slab of records. */
  public static final long SLAB_BYTES = (1L << BlockEntries.SLAB_SHIFT) * BYTES;

  /** Records in a slab, as a power of two. */
  static final int SLAB_SHIFT = 16;

  static final int SLAB = 1 << SLAB_SHIFT;

  private static final int IN_SLAB = SLAB - 1;

  static final int STATE = 0;
  static final int OFFSET = 8;
  static final int FILE = 16;
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

  /** The bit of a type that marks a type of data blocks. */
  private static final int DATA = 0x80;

  private final MemoryAllocator allocator;
  private volatile int capacity;
  private volatile Memory[] slabs = {};

  /** The head of a list of free records, linked by {@link #FILE_NEXT}. */
  private int free = NONE;

  private volatile int allocated;
  private int inUse;

  /**
   * Makes it without a record.
   *
   * @param capacity maximum number of blocks
   */
  public BlockEntries(int capacity, MemoryAllocator allocator) {
    this.capacity = capacity;
    this.allocator = allocator;
  }

  /** Returns the maximum number of blocks. */
  public int capacity() {
    return capacity;
  }

  /** Returns the number of blocks. */
  public int inUse() {
    return inUse;
  }

  /** Returns the number of records ever used: an upper bound of block numbers. */
  public int highest() {
    return allocated;
  }

  /** Returns the allocated memory. */
  public long bytes() {
    return slabs.length * SLAB_BYTES;
  }

  /** Raises the maximum number of blocks. A smaller cache keeps its records. */
  public void grow(int capacity) {
    this.capacity = Math.max(this.capacity, capacity);
  }

  /** Returns whether the next block needs a new slab of records. */
  public boolean lacksSlab() {
    return free == NONE && allocated < capacity && (allocated >>> SLAB_SHIFT) == slabs.length;
  }

  /** Returns a free record, or {@link #NONE} if all are in use. */
  public int allocate() {
    int entry = free;
    if (entry != NONE) {
      free = fileNext(entry);
    } else if (allocated < capacity) {
      entry = allocated;
      if ((entry >>> SLAB_SHIFT) == slabs.length) {
        addSlab(allocator.allocate(SLAB_BYTES));
      }
      allocated = entry + 1;
    } else {
      return NONE;
    }
    inUse++;
    return entry;
  }

  /** Marks all records below a number as used, at the start. */
  public void occupy(int highest) {
    while ((long) slabs.length << SLAB_SHIFT < highest) {
      addSlab(allocator.allocate(SLAB_BYTES));
    }
    allocated = highest;
    inUse = highest;
  }

  public void free(int entry) {
    fileNext(entry, free);
    free = entry;
    inUse--;
  }

  /** Adds {@link #SLAB_BYTES} of zeros for more records. */
  public void addSlab(Memory slab) {
    Memory[] more = Arrays.copyOf(slabs, slabs.length + 1);
    more[slabs.length] = slab;
    slabs = more;
  }

  /** Returns the slab of a record, for reading several of its fields. */
  public Memory slab(int entry) {
    return slabs[entry >>> SLAB_SHIFT];
  }

  /** Returns the offset of a record in its slab. */
  static long at(int entry) {
    return (long) (entry & IN_SLAB) * BYTES;
  }

  /** Returns the word of {@link BlockTable}. */
  long state(int entry) {
    return slab(entry).getLongVolatile(at(entry) + STATE);
  }

  void state(int entry, long state) {
    slab(entry).putLongVolatile(at(entry) + STATE, state);
  }

  boolean compareAndSetState(int entry, long expected, long state) {
    return slab(entry).compareAndSetLong(at(entry) + STATE, expected, state);
  }

  public long offset(int entry) {
    return slab(entry).getLong(at(entry) + OFFSET);
  }

  /** Returns the same field of a record whose slab is known. */
  public static long offset(Memory slab, int entry) {
    return slab.getLong(at(entry) + OFFSET);
  }

  public int file(int entry) {
    return slab(entry).getInt(at(entry) + FILE);
  }

  /** Returns the same field of a record whose slab is known. */
  public static int file(Memory slab, int entry) {
    return slab.getInt(at(entry) + FILE);
  }

  public void key(int entry, int file, long offset) {
    slab(entry).putLong(at(entry) + OFFSET, offset);
    slab(entry).putInt(at(entry) + FILE, file);
  }

  public int length(int entry) {
    return slab(entry).getInt(at(entry) + LENGTH);
  }

  /** Returns the same field of a record whose slab is known. */
  public static int length(Memory slab, int entry) {
    return slab.getInt(at(entry) + LENGTH);
  }

  public void length(int entry, int length) {
    slab(entry).putInt(at(entry) + LENGTH, length);
  }

  public long location(int entry) {
    return slab(entry).getLong(at(entry) + LOCATION);
  }

  /** Returns the same field of a record whose slab is known. */
  public static long location(Memory slab, int entry) {
    return slab.getLong(at(entry) + LOCATION);
  }

  public void location(int entry, long location) {
    slab(entry).putLong(at(entry) + LOCATION, location);
  }

  public int filePrevious(int entry) {
    return slab(entry).getInt(at(entry) + FILE_PREVIOUS);
  }

  public void filePrevious(int entry, int previous) {
    slab(entry).putInt(at(entry) + FILE_PREVIOUS, previous);
  }

  public int fileNext(int entry) {
    return slab(entry).getInt(at(entry) + FILE_NEXT);
  }

  public void fileNext(int entry, int next) {
    slab(entry).putInt(at(entry) + FILE_NEXT, next);
  }

  public int policyPrevious(int entry) {
    return slab(entry).getInt(at(entry) + POLICY_PREVIOUS);
  }

  public void policyPrevious(int entry, int previous) {
    slab(entry).putInt(at(entry) + POLICY_PREVIOUS, previous);
  }

  public int policyNext(int entry) {
    return slab(entry).getInt(at(entry) + POLICY_NEXT);
  }

  public void policyNext(int entry, int next) {
    slab(entry).putInt(at(entry) + POLICY_NEXT, next);
  }

  public int nextBlockOnDiskSize(int entry) {
    return slab(entry).getInt(at(entry) + NEXT_ON_DISK_SIZE);
  }

  /** Returns the same field of a record whose slab is known. */
  public static int nextBlockOnDiskSize(Memory slab, int entry) {
    return slab.getInt(at(entry) + NEXT_ON_DISK_SIZE);
  }

  public void nextBlockOnDiskSize(int entry, int size) {
    slab(entry).putInt(at(entry) + NEXT_ON_DISK_SIZE, size);
  }

  public byte type(int entry) {
    return (byte) (slab(entry).getByte(at(entry) + TYPE) & ~DATA);
  }

  /** Returns the same field of a record whose slab is known. */
  public static byte type(Memory slab, int entry) {
    return (byte) (slab.getByte(at(entry) + TYPE) & ~DATA);
  }

  public boolean isData(int entry) {
    return (slab(entry).getByte(at(entry) + TYPE) & DATA) != 0;
  }

  /** Returns the same field of a record whose slab is known. */
  public static boolean isData(Memory slab, int entry) {
    return (slab.getByte(at(entry) + TYPE) & DATA) != 0;
  }

  /**
   * @param type from 0 to 127
   * @param data whether it is a type of data blocks
   */
  public void type(int entry, byte type, boolean data) {
    slab(entry).putByte(at(entry) + TYPE, (byte) (data ? type | DATA : type));
  }

  public byte flags(int entry) {
    return slab(entry).getByte(at(entry) + FLAGS);
  }

  /** Returns the same field of a record whose slab is known. */
  public static byte flags(Memory slab, int entry) {
    return slab.getByte(at(entry) + FLAGS);
  }

  public void flags(int entry, byte flags) {
    slab(entry).putByte(at(entry) + FLAGS, flags);
  }

  public byte queue(int entry) {
    return slab(entry).getByte(at(entry) + QUEUE);
  }

  /** Returns the same field of a record whose slab is known. */
  public static byte queue(Memory slab, int entry) {
    return slab.getByte(at(entry) + QUEUE);
  }

  public void queue(int entry, byte queue) {
    slab(entry).putByte(at(entry) + QUEUE, queue);
  }

  public byte allocator(int entry) {
    return slab(entry).getByte(at(entry) + ALLOCATOR);
  }

  /** Returns the same field of a record whose slab is known. */
  public static byte allocator(Memory slab, int entry) {
    return slab.getByte(at(entry) + ALLOCATOR);
  }

  public void allocator(int entry, byte allocator) {
    slab(entry).putByte(at(entry) + ALLOCATOR, allocator);
  }

  public int cachedAt(int entry) {
    return slab(entry).getInt(at(entry) + CACHED_AT);
  }

  public void cachedAt(int entry, int seconds) {
    slab(entry).putInt(at(entry) + CACHED_AT, seconds);
  }

  /** Returns the policy's word. Readers update it without a lock and may lose updates. */
  public int policyWord(int entry) {
    return slab(entry).getInt(at(entry) + POLICY_WORD);
  }

  /** Returns the same field of a record whose slab is known. */
  public static int policyWord(Memory slab, int entry) {
    return slab.getInt(at(entry) + POLICY_WORD);
  }

  public void policyWord(int entry, int word) {
    slab(entry).putInt(at(entry) + POLICY_WORD, word);
  }
}
