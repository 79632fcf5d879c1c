package org.fastpath.offheap.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Places blocks of any size in the regions of a {@link CacheMemory}.
 *
 * <p>A block cache is always full, and its blocks never move, because readers hold their addresses.
 * So unused space between blocks is lost. The size classes of a slab allocator lose up to 28 %.
 * This allocator loses at most 1.85 %:
 *
 * <ol>
 *   <li>Best fit with immediate coalescing. Extents tile a region. Boundary tags [1] find the
 *       neighbours of a freed extent, and segregated lists with bitmaps [2] the smallest fitting
 *       one, in constant time. Best fit fragments least over real traces [3].
 *   <li>Rounding. Sizes are rounded up to a multiple of 1/256 or less, so a freed extent fits the
 *       next block exactly. Any hole can still take any block.
 *   <li>A reserve, and parts. While less than 1.85 % is unused and no hole fits, a block is
 *       rejected, and the cache evicts another one. Above that, the block is split into parts. No
 *       arrangement of whole blocks has such a bound [4].
 * </ol>
 *
 * <p>A block and its index may be in two parts at any time, because both are read in place. Blocks
 * of tables differ in length mostly by their indexes.
 *
 * <p>For other parts, the largest hole that is too small for recent blocks is taken first, so whole
 * blocks keep their holes. With blocks of 64 to 76 KiB in 1 GiB, 1 % are in parts after 40
 * fillings, instead of 59 % with the largest holes first. With lengths of 10 to 30 KiB, 66 % are in
 * parts in 1 GiB, but 0.01 % in 2 GiB. These parts have at least 4 KiB, except the last. A block
 * has at most 8, plus one per 64 KiB. Moving blocks [5] would need the readers' cooperation.
 *
 * <p>The extents hold all state, see {@link ExtentDescriptor}. The heap has nothing per block.
 *
 * <p>Allocating and freeing need the cache's lock. {@link #nextPart}, {@link #partLength}, {@link
 * #payload}, {@link #parts}, {@link #view} and {@link #slice} need no lock for a pinned block.
 * Counters may be read at any time.
 *
 * <ol>
 *   <li>Knuth, The Art of Computer Programming, volume 1, section 2.5, 1968.
 *   <li>Masmano, Ripoll, Crespo, Real: TLSF, ECRTS 2004.
 *   <li>Johnstone, Wilson: The memory fragmentation problem: solved?, ISMM 1998.
 *   <li>Robson: Bounds for some functions concerning dynamic storage allocation, JACM 21(3), 1974.
 *   <li>Rumble, Kejriwal, Ousterhout: Log-structured memory for DRAM-based storage, FAST 2014.
 * </ol>
 */
public final class ExtentAllocator {
  public static final long NONE = -1;

  /** The maximum number of parts of a small block. */
  public static final int MAX_PARTS = 8;

  /** The bytes for each additional part of a block. */
  public static final int BYTES_FOR_ANOTHER_PART = 64 << 10;

  /** A smaller free extent takes only the last part of a block. */
  public static final int MIN_PART = 4096;

  /** The byte that fills freed memory, if configured. */
  public static final byte POISON = (byte) 0xDB;

  /** Blocks are not split while less than this share of the memory is unused. */
  public static final double RESERVE = 0.0185;

  /** Sizes are rounded up to a multiple of the power of two below them, shifted by this. */
  private static final int ROUNDING_SHIFT = 8;

  /** The decay of the smallest recent length, as a shift. */
  private static final int SMALLEST_SHIFT = 10;

  private static final int PARTS_LIMIT = 1024;

  private final CacheMemory memory;
  private final boolean poison;
  private final FreeExtents free;

  /** Extents taken for the current block, except the last; they are in no list. */
  private final long[] taken = new long[PARTS_LIMIT];

  /** The smallest recent length of a block. */
  private int smallest = CacheMemory.MAX_REGION_BYTES;

  /** Parts of blocks in each region. */
  private int[] partsIn = {};

  /** Regions from this one on are retired. */
  private int active;

  /** The next extent of a region whose free extents enter or leave the lists, or {@link #NONE}. */
  private long cursor = NONE;

  private volatile long capacity;
  private volatile long payloadBytes;
  private volatile long overheadBytes;
  private volatile double fragmentation;

  public ExtentAllocator(CacheMemory memory) {
    this(memory, false);
  }

  /**
   * @param memory owned by this allocator, except for its close
   * @param poison whether freed memory is overwritten, which reveals late readers
   */
  public ExtentAllocator(CacheMemory memory, boolean poison) {
    this(memory, poison, ExtentRecovery.NOTHING);
  }

  private ExtentAllocator(CacheMemory memory, boolean poison, ExtentRecovery recovery) {
    this.memory = memory;
    this.poison = poison;
    this.free = new FreeExtents(memory);
    partsIn = new int[memory.regions()];
    activate(recovery);
  }

  /**
   * Rebuilds an allocator over the memory of an earlier process, which may have been killed.
   * Plausible claimed blocks stay. Claims outside the memory, with invalid headers or with overlaps
   * are rejected. All other memory is free.
   */
  public static ExtentAllocator rebuild(CacheMemory memory, boolean poison, Claims claims) {
    return new ExtentAllocator(memory, poison, ExtentRecovery.of(memory, claims));
  }

  /** Blocks from before a restart, numbered from 0. */
  public interface Claims {
    int count();

    long location(int claim);

    /** Bytes of payload of all its parts. */
    int length(int claim);

    /** Rejects a block, at most once. */
    void refuse(int claim);
  }

  private void activate(ExtentRecovery recovery) {
    while (active < memory.regions()) {
      int region = active++;
      capacity = capacity + memory.region(region).capacity();
      layOut(region, recovery);
    }
  }

  /** Tiles a region with the parts of restored blocks and free extents between them. */
  private void layOut(int region, ExtentRecovery recovery) {
    long at = CacheMemory.location(region, 0);
    long end = at + memory.region(region).capacity();
    long part = recovery.nextPartBefore(end);
    while (part != NONE) {
      if (at < part) {
        addFree(at, (int) (part - at));
      }
      ExtentDescriptor.lowerFree(memory, part, at < part);
      count(part, size(part), partLength(part), 1);
      at = part + size(part);
      part = recovery.nextPartBefore(end);
    }
    if (at < end) {
      addFree(at, (int) (end - at));
    }
  }

  /** Adds a free extent; the extent below is in use. */
  private void addFree(long location, int size) {
    ExtentDescriptor.free(memory, location, size);
    list(location, size);
  }

  /** Lists a free extent if its region takes blocks. */
  private void list(long location, int size) {
    if (CacheMemory.regionOf(location) < active) {
      free.add(location, size);
    } else {
      ExtentDescriptor.unlist(memory, location);
    }
  }

  /** Returns the maximum number of parts of a block. */
  public static int maxParts(int length) {
    return Math.min(PARTS_LIMIT, MAX_PARTS + length / BYTES_FOR_ANOTHER_PART);
  }

  /** Returns whether a block of this length fits into empty memory. */
  public boolean fits(int length) {
    long room = 0;
    for (int i = 0; i < Math.min(active, maxParts(length)); i++) {
      room += memory.region(i).capacity() - ExtentDescriptor.LINKED_HEADER;
    }
    return length > 0 && length <= room;
  }

  /** Finds room for a block that may be split anywhere. */
  public long allocate(int length) {
    return allocate(length, length);
  }

  /**
   * Finds room for a block. If no hole takes all of it, its beginning and its end are parts of
   * their own, if there are two holes for them. So the beginning can still be read in place.
   *
   * @param length bytes of payload, above 0
   * @param beginning the bytes of it that are read in place; the length if it is all of it
   * @return the location of its first part; {@link #NONE} if another block must be evicted first
   */
  public long allocate(int length, int beginning) {
    smallest = Math.min(length, smallest + (length - smallest >> SMALLEST_SHIFT));
    long location = allocateWhole(length);
    if (location == NONE && beginning < length) {
      location = allocateTwo(beginning, length - beginning);
    }
    if (location == NONE) {
      location = allocateParts(length);
    }
    if (location == NONE) {
      fragmentation = 1 - (double) payloadBytes / capacity;
    }
    return location;
  }

  private long allocateWhole(int length) {
    if (length > CacheMemory.MAX_REGION_BYTES - ExtentDescriptor.HEADER) {
      return NONE;
    }
    int exact = ExtentDescriptor.roundUp(length + ExtentDescriptor.HEADER);
    int rounded = rounded(exact);
    long location = free.atLeast(rounded);
    if (location == NONE) {
      location = free.atLeast(exact);
    }
    if (location != NONE) {
      int hole = size(location);
      free.remove(location, hole);
      use(location, hole, Math.min(hole, rounded), length, true, NONE);
    }
    return location;
  }

  private static int rounded(int exact) {
    int step = Math.max(ExtentDescriptor.GRANULE, Integer.highestOneBit(exact) >>> ROUNDING_SHIFT);
    return exact + step - 1 & -step;
  }

  private long allocateTwo(int first, int second) {
    if (first > CacheMemory.MAX_REGION_BYTES - ExtentDescriptor.LINKED_HEADER) {
      return NONE;
    }
    int exact = ExtentDescriptor.roundUp(first + ExtentDescriptor.LINKED_HEADER);
    long location = free.atLeast(exact);
    if (location == NONE) {
      return NONE;
    }
    int hole = size(location);
    free.remove(location, hole);
    long last = hole(second);
    if (last == NONE) {
      free.add(location, hole);
      return NONE;
    }
    int lastHole = size(last);
    free.remove(last, lastHole);
    int lastSize = ExtentDescriptor.roundUp(second + ExtentDescriptor.HEADER);
    use(last, lastHole, lastSize, second, false, NONE);
    use(location, hole, Math.min(hole, rounded(exact)), first, true, last);
    return location;
  }

  private long allocateParts(int length) {
    if (free.bytes() < length || free.bytes() + overheadBytes < capacity * RESERVE) {
      return NONE;
    }
    int most = maxParts(length) - 1;
    int left = length;
    int count = 0;
    long last = hole(left);
    while (last == NONE) {
      long part = forPart(left);
      int size = part == NONE ? 0 : size(part);
      if (size < MIN_PART || count == most) {
        giveBack(count);
        return NONE;
      }
      free.remove(part, size);
      taken[count++] = part;
      left -= size - ExtentDescriptor.LINKED_HEADER;
      last = hole(left);
    }
    return link(count, last, left);
  }

  /**
   * Returns the largest hole that is too small for recent blocks; if there is none, the largest
   * hole.
   */
  private long forPart(int length) {
    if (length - smallest <= smallest / 2) {
      long small = free.smallerThan(ExtentDescriptor.roundUp(smallest));
      if (small != NONE && size(small) >= MIN_PART) {
        return small;
      }
    }
    return free.largest();
  }

  private long hole(int length) {
    return length > CacheMemory.MAX_REGION_BYTES - ExtentDescriptor.HEADER
        ? NONE
        : free.atLeast(ExtentDescriptor.roundUp(length + ExtentDescriptor.HEADER));
  }

  /** Returns the extents of a block that has no room. */
  private void giveBack(int count) {
    for (int i = count - 1; i >= 0; i--) {
      free.add(taken[i], size(taken[i]));
    }
  }

  /** Makes the extents taken and the last one parts of a block. */
  private long link(int count, long last, int lastLength) {
    int hole = size(last);
    free.remove(last, hole);
    int size = ExtentDescriptor.roundUp(lastLength + ExtentDescriptor.HEADER);
    use(last, hole, size, lastLength, count == 0, NONE);
    long next = last;
    for (int i = count - 1; i >= 0; i--) {
      int whole = size(taken[i]);
      use(taken[i], whole, whole, whole - ExtentDescriptor.LINKED_HEADER, i == 0, next);
      next = taken[i];
    }
    return next;
  }

  /** Makes a part of a block from the front of a hole that is in no list. */
  private void use(long location, int hole, int size, int length, boolean head, long next) {
    if (next == NONE) {
      ExtentDescriptor.use(memory, location, size, length, head);
    } else {
      ExtentDescriptor.use(memory, location, size, length, head, next);
    }
    if (size < hole) {
      addFree(location + size, hole - size);
    } else {
      lowerFree(location + size, false);
    }
    count(location, size, length, 1);
  }

  private void count(long location, int size, int length, int sign) {
    partsIn[CacheMemory.regionOf(location)] += sign;
    payloadBytes = payloadBytes + (long) sign * length;
    overheadBytes = overheadBytes + (long) sign * (size - length);
  }

  /**
   * Frees a block.
   *
   * @throws IllegalStateException if no block begins there
   */
  public void free(long location) {
    if (!ExtentDescriptor.head(memory, location)) {
      throw new IllegalStateException("no block at " + location);
    }
    long part = location;
    while (part != NONE) {
      long next = nextPart(part);
      release(part);
      part = next;
    }
  }

  private void release(long location) {
    int size = ExtentDescriptor.size(memory, location);
    count(location, size, ExtentDescriptor.length(memory, location), -1);
    if (poison) {
      memory.fill(location + ExtentDescriptor.HEADER, size - ExtentDescriptor.HEADER, POISON);
    }
    long start = location;
    if (ExtentDescriptor.lowerFree(memory, location)) {
      start -= ExtentDescriptor.sizeOfLower(memory, location);
      unlist(start);
    }
    long end = location + size;
    if (!endsRegion(end) && !ExtentDescriptor.used(memory, end)) {
      int upper = size(end);
      unlist(end);
      ExtentDescriptor.erase(memory, end);
      end += upper;
    }
    ExtentDescriptor.erase(memory, location);
    int merged = (int) (end - start);
    ExtentDescriptor.free(memory, start, merged);
    lowerFree(end, true);
    list(start, merged);
    if (start < cursor && cursor < end) {
      cursor = start;
    }
  }

  private void unlist(long location) {
    if (ExtentDescriptor.listed(memory, location)) {
      free.remove(location, size(location));
    }
  }

  private void lowerFree(long end, boolean lowerFree) {
    if (!endsRegion(end)) {
      ExtentDescriptor.lowerFree(memory, end, lowerFree);
    }
  }

  private boolean endsRegion(long end) {
    int region = CacheMemory.regionOf(end - 1);
    return end - CacheMemory.location(region, 0) == memory.region(region).capacity();
  }

  private int size(long location) {
    return ExtentDescriptor.size(memory, location);
  }

  /** Returns the number of parts of a block. */
  public int parts(long location) {
    int parts = 0;
    for (long part = location; part != NONE; part = nextPart(part)) {
      parts++;
    }
    return parts;
  }

  /** Returns the next part, or {@link #NONE}. */
  public long nextPart(long location) {
    return ExtentDescriptor.more(memory, location)
        ? ExtentDescriptor.nextPart(memory, location)
        : NONE;
  }

  /** Returns the bytes of payload in this part. */
  public int partLength(long location) {
    return ExtentDescriptor.length(memory, location);
  }

  /** Returns the location of this part's payload. */
  public long payload(long location) {
    return location + ExtentDescriptor.header(memory, location);
  }

  /** Returns the payload of this part; keeps its region reachable. */
  public Memory view(long location) {
    return memory
        .memory(CacheMemory.regionOf(location))
        .view(CacheMemory.offsetOf(payload(location)), ExtentDescriptor.length(memory, location));
  }

  /** Returns the payload of this part, in big-endian byte order. */
  public ByteBuffer slice(long location) {
    return memory.slice(payload(location), ExtentDescriptor.length(memory, location));
  }

  /** Returns the bytes of the regions that take blocks. */
  public long capacity() {
    return capacity;
  }

  /** Returns the bytes of all blocks, including those in retired regions. */
  public long payloadBytes() {
    return payloadBytes;
  }

  /** Returns the free bytes in regions that take blocks. */
  public long freeBytes() {
    return free.bytes();
  }

  /** Returns the bytes of headers and rounding, including blocks in retired regions. */
  public long overheadBytes() {
    return overheadBytes;
  }

  /** Returns the bytes of the largest free extent, to a thousandth. */
  public long largestFree() {
    long largest = free.largest();
    return largest == NONE ? 0 : size(largest);
  }

  /**
   * Returns the unused share of the capacity when a block last found no room: the cost of
   * fragments, headers and rounding. It is 0 before that, and negative while retired regions hold
   * more.
   */
  public double fragmentation() {
    return fragmentation;
  }

  /**
   * Adds prepared memory, all of it or, if this throws, none.
   *
   * @throws IllegalStateException if a region is retired
   */
  public void addRegions(CacheMemory.Prepared more) {
    if (active < memory.regions()) {
      throw new IllegalStateException("region " + active + " is retired");
    }
    partsIn = Arrays.copyOf(partsIn, memory.regions() + more.regions());
    memory.publish(more);
    activate(ExtentRecovery.NOTHING);
  }

  /** Returns the memory of the extents. */
  public CacheMemory memory() {
    return memory;
  }

  /**
   * Retires the last active region, completely when {@link #sweep} has ended. Its blocks stay until
   * they are freed.
   *
   * @return false if it is the only one
   */
  public boolean retireLastRegion() {
    if (active <= 1) {
      return false;
    }
    beginSweep(active - 1);
    active--;
    capacity = capacity - memory.region(active).capacity();
    return true;
  }

  /**
   * Reactivates the first retired region, for the free extents that {@link #sweep} has processed.
   *
   * @return false if none is retired
   */
  public boolean reactivateRegion() {
    if (active == memory.regions()) {
      return false;
    }
    beginSweep(active);
    capacity = capacity + memory.region(active).capacity();
    active++;
    return true;
  }

  /** Completes a sweep in progress and begins another. */
  private void beginSweep(int region) {
    while (cursor != NONE) {
      sweep(1);
    }
    cursor = CacheMemory.location(region, 0);
  }

  /**
   * Continues with a retired or reactivated region: its free extents leave or enter the lists. A
   * region has up to 32 million extents, so the owner of the lock does it in steps.
   *
   * @param extents limit of this step
   * @return whether there are more
   */
  public boolean sweep(int extents) {
    for (int i = 0; i < extents && cursor != NONE; i++) {
      if (!ExtentDescriptor.used(memory, cursor)) {
        sweepFree(cursor);
      }
      long next = cursor + size(cursor);
      cursor = endsRegion(next) ? NONE : next;
    }
    return cursor != NONE;
  }

  private void sweepFree(long location) {
    boolean takesBlocks = CacheMemory.regionOf(location) < active;
    if (takesBlocks != ExtentDescriptor.listed(memory, location)) {
      if (takesBlocks) {
        free.add(location, size(location));
      } else {
        free.remove(location, size(location));
        ExtentDescriptor.unlist(memory, location);
      }
    }
  }

  /** Returns the bytes of the last active region. */
  public long lastRegionBytes() {
    return memory.region(active - 1).capacity();
  }

  /** Returns the number of active regions. */
  public int activeRegions() {
    return active;
  }

  /** Returns whether the region has no part of a block. */
  public boolean isEmpty(int region) {
    return partsIn[region] == 0;
  }

  /** Returns whether a part of this block is in a retired region. */
  public boolean inRetiredRegion(long location) {
    for (long part = location; part != NONE; part = nextPart(part)) {
      if (CacheMemory.regionOf(part) >= active) {
        return true;
      }
    }
    return false;
  }

  /**
   * Removes the last region if it is retired, swept and empty.
   *
   * @return false if it is not
   */
  public boolean removeLastRegion() {
    int last = memory.regions() - 1;
    if (last < active || cursor != NONE || !isEmpty(last)) {
      return false;
    }
    int[] fewer = Arrays.copyOf(partsIn, last);
    memory.removeLastRegion();
    partsIn = fewer;
    return true;
  }

  /**
   * Walks all regions, blocks and lists.
   *
   * @throws AssertionError if anything is inconsistent
   */
  public void validate() {
    new ExtentValidator(memory, active, cursor != NONE)
        .validate(free, payloadBytes, overheadBytes, partsIn);
    ExtentValidator.check(capacity == ExtentValidator.bytes(memory, active), "capacity", capacity);
  }
}
