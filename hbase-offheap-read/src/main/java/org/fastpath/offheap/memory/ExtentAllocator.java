package org.fastpath.offheap.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Places blocks of any size in the regions of a {@link CacheMemory}.
 *
 * <p>A block cache is always full, and its blocks are never moved, because readers hold addresses
 * in them. What a general allocator leaves unused between blocks is then lost for good; the size
 * classes of a slab allocator lose more, up to 28 % where values are as large as the gaps between
 * classes. This allocator combines three things so that the loss stays below a bound that is
 * chosen, 1.85 % of the memory.
 *
 * <ol>
 *   <li>Best fit, and coalescing at once. Extents of any size tile a region; boundary tags [1] find
 *       the neighbours of one that is freed, segregated lists with bitmaps [2] find the smallest
 *       that fits, in constant time. Best fit and address-ordered first fit are the policies that
 *       fragment least over real traces [3], and best fit has a structure that is cheap.
 *   <li>Like sizes made equal. A size is rounded up to a multiple of 1/256 of itself or less, so
 *       that what a block leaves is what another one needs, with no remainder. This is what size
 *       classes do, but a class here is a preference and never a wall: any hole can take any block.
 *   <li>A reserve, and parts. Best fit needs holes to choose from. As long as less than 1.85 % of
 *       the memory is unused, a block that no hole can take is refused, and the cache evicts
 *       another one, which makes a hole. When more is unused than that, holes have become too
 *       small: the block is split into parts. No arrangement of blocks that are in one piece has
 *       such a bound [4]; one of blocks in parts has it, as long as holes are of {@link #MIN_PART}
 *       bytes and more. (A block that is itself more than 1.85 % of the memory needs its length.)
 * </ol>
 *
 * <p>Which holes become parts decides how many blocks are in parts in the long run. To take the
 * largest leaves ever fewer that a whole block would fit in, and the share of blocks in parts rises
 * for as long as one measures: with blocks of 64 to 76 KiB in 1 GiB, evicted at random, to 59 %
 * when the memory had been filled 60 times. Holes smaller than any block of late are of no use to a
 * whole block, so the largest of them is taken first: 1 % after 40 times. Where lengths are far
 * apart there is no such size, and the largest hole is taken. Blocks of 10 to 30 KiB then are in
 * parts to 66 % in 1 GiB, but to 0.01 % in 2 GiB: the larger the memory, the more holes are 1.85 %
 * of it. When blocks are evicted in the order in which they came, none is in parts.
 *
 * <p>Parts are of 4 KiB and more but the last, and a block has at most 8, and another for each 64
 * KiB of length, so that what a reader pays for them is little. Moving blocks to close gaps [5]
 * would need no parts and waste as little, but readers would have to be told.
 *
 * <p>All that is known about extents is in the extents: see {@link ExtentDescriptor}. On the heap
 * is nothing whose size depends on the number of blocks, and placing a block makes no object.
 *
 * <p>Allocating and freeing belong under the cache's lock. {@link #nextPart}, {@link #partLength},
 * {@link #payload}, {@link #parts} and {@link #slice} may be called without it for a block that
 * cannot be freed meanwhile: what they read does not change as long as the block is there. Counters
 * may be read at any time.
 *
 * <p>Papers:
 *
 * <ol>
 *   <li>Knuth, The Art of Computer Programming, volume 1, section 2.5, 1968 (boundary tags).
 *   <li>Masmano, Ripoll, Crespo, Real: TLSF, a new dynamic memory allocator for real-time systems,
 *       ECRTS 2004.
 *   <li>Johnstone, Wilson: The memory fragmentation problem: solved?, ISMM 1998.
 *   <li>Robson: Bounds for some functions concerning dynamic storage allocation, JACM 21(3), 1974.
 *   <li>Rumble, Kejriwal, Ousterhout: Log-structured memory for DRAM-based storage, FAST 2014.
 * </ol>
 */
public final class ExtentAllocator {
  public static final long NONE = -1;

  /** The most parts of a small block. */
  public static final int MAX_PARTS = 8;

  /** A block may have another part for each of so many bytes. */
  public static final int BYTES_FOR_ANOTHER_PART = 64 << 10;

  /** A free extent that is smaller takes no part of a block but its last. */
  public static final int MIN_PART = 4096;

  /** What freed memory is filled with, if asked for. */
  public static final byte POISON = (byte) 0xDB;

  /** Blocks are not split as long as less than this share of the memory is unused. */
  public static final double RESERVE = 0.0185;

  /** Sizes are rounded up to a multiple of the power of two below them, shifted by this. */
  private static final int ROUNDING_SHIFT = 8;

  /** How fast the smallest length of late forgets. */
  private static final int SMALLEST_SHIFT = 10;

  private static final int PARTS_LIMIT = 1024;

  private final CacheMemory memory;
  private final boolean poison;
  private final FreeExtents free;

  /** Extents that the block being placed takes, but for the last; they are in no list then. */
  private final long[] taken = new long[PARTS_LIMIT];

  /** The length of the smallest block of late. */
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
   * @param memory belongs to this allocator from now on, but for being closed
   * @param poison whether what is freed is overwritten, so that who reads it still will notice
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
   * An allocator over memory that another one had before, in a process that may have been killed.
   * Blocks that are claimed and can be what an allocator left stay where they are; claims outside
   * the memory, with headers that make no sense or that overlap others are refused; all else is
   * free.
   */
  public static ExtentAllocator rebuild(CacheMemory memory, boolean poison, Claims claims) {
    return new ExtentAllocator(memory, poison, ExtentRecovery.of(memory, claims));
  }

  /** Blocks that were there before a restart, numbered from 0. */
  public interface Claims {
    int count();

    long location(int claim);

    /** Bytes of payload of all its parts. */
    int length(int claim);

    /** This block is not there. Told once at most. */
    void refuse(int claim);
  }

  private void activate(ExtentRecovery recovery) {
    while (active < memory.regions()) {
      int region = active++;
      capacity = capacity + memory.region(region).capacity();
      layOut(region, recovery);
    }
  }

  /** Tiles a region with the parts of blocks that are there already and free extents between. */
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

  /** Makes a free extent; the extent below is in use. */
  private void addFree(long location, int size) {
    ExtentDescriptor.free(memory, location, size);
    list(location, size);
  }

  /** Only regions that take blocks have extents in the lists. */
  private void list(long location, int size) {
    if (CacheMemory.regionOf(location) < active) {
      free.add(location, size);
    } else {
      ExtentDescriptor.unlist(memory, location);
    }
  }

  /** The most parts of a block. */
  public static int maxParts(int length) {
    return Math.min(PARTS_LIMIT, MAX_PARTS + length / BYTES_FOR_ANOTHER_PART);
  }

  /** Whether a block of this length has room when there is no other. */
  public boolean fits(int length) {
    long room = 0;
    for (int i = 0; i < Math.min(active, maxParts(length)); i++) {
      room += memory.region(i).capacity() - ExtentDescriptor.LINKED_HEADER;
    }
    return length > 0 && length <= room;
  }

  /**
   * Finds room for a block.
   *
   * @param length bytes of payload, above 0
   * @return the location of its first part; {@link #NONE} when there is no room unless another
   *     block leaves
   */
  public long allocate(int length) {
    smallest = Math.min(length, smallest + (length - smallest >> SMALLEST_SHIFT));
    long location = allocateWhole(length);
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
    int step = Math.max(ExtentDescriptor.GRANULE, Integer.highestOneBit(exact) >>> ROUNDING_SHIFT);
    int rounded = exact + step - 1 & -step;
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

  /** The largest hole that no block of late fits in, if blocks are of like lengths; or of all. */
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

  /** Puts back what was taken for a block that has no room after all. */
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

  /** Makes a part of a block of the front of a hole, which is in no list. */
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
   * Gives a block's room back.
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

  /** How many parts a block has. */
  public int parts(long location) {
    int parts = 0;
    for (long part = location; part != NONE; part = nextPart(part)) {
      parts++;
    }
    return parts;
  }

  /** The part behind this one, or {@link #NONE}. */
  public long nextPart(long location) {
    return ExtentDescriptor.more(memory, location)
        ? ExtentDescriptor.nextPart(memory, location)
        : NONE;
  }

  /** Bytes of payload in this part. */
  public int partLength(long location) {
    return ExtentDescriptor.length(memory, location);
  }

  /** The location of this part's payload. */
  public long payload(long location) {
    return location + ExtentDescriptor.header(memory, location);
  }

  /** The payload of this part; keeps its region reachable. */
  public Memory view(long location) {
    return memory
        .memory(CacheMemory.regionOf(location))
        .view(CacheMemory.offsetOf(payload(location)), ExtentDescriptor.length(memory, location));
  }

  /** The payload of this part, in big-endian byte order. */
  public ByteBuffer slice(long location) {
    return memory.slice(payload(location), ExtentDescriptor.length(memory, location));
  }

  /** Bytes of the regions that take blocks. */
  public long capacity() {
    return capacity;
  }

  /** Bytes of all blocks, also of those in retired regions. */
  public long payloadBytes() {
    return payloadBytes;
  }

  /** Bytes that are free in regions that take blocks. */
  public long freeBytes() {
    return free.bytes();
  }

  /** Bytes of headers and of rounding, also of blocks in retired regions. */
  public long overheadBytes() {
    return overheadBytes;
  }

  /** Bytes of the largest free extent, to a thousandth. */
  public long largestFree() {
    long largest = free.largest();
    return largest == NONE ? 0 : size(largest);
  }

  /**
   * What share of the capacity no block used when a block last found no room: the price of
   * fragments, headers and rounding together. 0 before that, and negative while blocks in retired
   * regions are more than that.
   */
  public double fragmentation() {
    return fragmentation;
  }

  /**
   * Adds memory that was prepared: all of it, or none if this throws.
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

  /** The memory that extents are in. */
  public CacheMemory memory() {
    return memory;
  }

  /**
   * Lets the last region that takes blocks take no more, as soon as {@link #sweep} has no more to
   * do. Blocks that the region has until then stay until they are freed.
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
   * Lets the first of the retired regions take blocks again: those of its free extents that {@link
   * #sweep} has come by.
   *
   * @return false if none is retired
   */
  public boolean reinstateRegion() {
    if (active == memory.regions()) {
      return false;
    }
    beginSweep(active);
    capacity = capacity + memory.region(active).capacity();
    active++;
    return true;
  }

  /** Completes the sweep that is under way, if one is. */
  private void beginSweep(int region) {
    while (cursor != NONE) {
      sweep(1);
    }
    cursor = CacheMemory.location(region, 0);
  }

  /**
   * Goes on with a region that was retired or reinstated: its free extents leave or enter the
   * lists. A region has up to 32 million extents, so the owner of the lock does it in steps.
   *
   * @param extents the most to look at
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

  /** Bytes of the last region that takes blocks. */
  public long lastRegionBytes() {
    return memory.region(active - 1).capacity();
  }

  /** How many regions take blocks. */
  public int activeRegions() {
    return active;
  }

  /** Whether no part of a block is in this region. */
  public boolean isEmpty(int region) {
    return partsIn[region] == 0;
  }

  /** Whether a part of this block is in a retired region. */
  public boolean inRetiredRegion(long location) {
    for (long part = location; part != NONE; part = nextPart(part)) {
      if (CacheMemory.regionOf(part) >= active) {
        return true;
      }
    }
    return false;
  }

  /**
   * Gives the memory of the last region back if it is retired, swept and empty.
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
   * @throws AssertionError if anything does not agree with anything else
   */
  public void validate() {
    new ExtentValidator(memory, active, cursor != NONE)
        .validate(free, payloadBytes, overheadBytes, partsIn);
    ExtentValidator.check(capacity == ExtentValidator.bytes(memory, active), "capacity", capacity);
  }
}
