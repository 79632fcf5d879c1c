package org.fastpath.offheap.memory;

/**
 * An extent: a run of bytes of one region that is either free or one part of a block. Extents tile
 * a region without gaps; each begins at a multiple of {@link #GRANULE} bytes from the region's
 * start and is a multiple of it long, so that its size leaves the low bits of its first word to
 * flags.
 *
 * <pre>
 *            part of a block                            free
 *  offset
 *    0  +-------------------------+           +-------------------------+
 *       | size  | flags           |           | size  | flags           |
 *    4  +-------------------------+           +-------------------------+
 *       | more, length of payload |           | 0                       |
 *    8  +-------------------------+           +-------------------------+
 *       | next part, if more      |           | previous in list, or -2 |
 *   16  | (payload begins here    |           |                         |
 *       |  at 16, else at 8)      |           +-------------------------+
 *       |                         |           | next in free list       |
 *   24  |                         |           +-------------------------+
 *       | payload                 |           | whatever was there      |
 *  s-4  |                         |           +-------------------------+
 *       |                         |           | size                    |
 *    s  +-------------------------+           +-------------------------+
 *
 *  flags:  bit 0  USED       part of a block
 *          bit 1  LOWER_FREE the extent at lower addresses is free: its size is 4 bytes in front
 *          bit 2  HEAD       first part of a block
 * </pre>
 *
 * <p>The two words of the header are apart for the sake of readers without a lock. When the extent
 * below is freed or allocated the first word of this one changes; the second word and the link to
 * the next part are written before a block is visible to anybody and stay until it is freed, and
 * readers look at nothing else. The size at the end of an extent is there only while it is free, so
 * a block pays 8 bytes, and 8 more for each part that another one follows.
 */
public final class ExtentDescriptor {
  /** Extents begin at, and are, a multiple of this. It holds the header of a free extent. */
  public static final int GRANULE = 32;

  /** In front of the payload of a block's last, and mostly only, part. */
  static final int HEADER = 8;

  /** In front of the payload of a part that another one follows. */
  static final int LINKED_HEADER = 16;

  private static final int USED = 1;
  private static final int LOWER_FREE = 2;
  private static final int HEAD = 4;
  private static final int FLAGS = GRANULE - 1;

  private static final int MORE = 1 << 31;

  private static final int SIZE_AND_FLAGS = 0;
  private static final int LENGTH = 4;
  private static final int NEXT_PART = 8;
  private static final int PREVIOUS_FREE = 8;
  private static final int NEXT_FREE = 16;

  /** In place of the previous extent, where a free one is in no list. */
  private static final long UNLISTED = -2;

  private ExtentDescriptor() {}

  /** The size of an extent that has at least this many bytes. */
  static int roundUp(int bytes) {
    return (bytes + GRANULE - 1) & -GRANULE;
  }

  static int size(CacheMemory memory, long location) {
    return memory.getInt(location + SIZE_AND_FLAGS) & ~FLAGS;
  }

  static boolean used(CacheMemory memory, long location) {
    return (memory.getInt(location + SIZE_AND_FLAGS) & USED) != 0;
  }

  static boolean head(CacheMemory memory, long location) {
    return (memory.getInt(location + SIZE_AND_FLAGS) & HEAD) != 0;
  }

  static boolean lowerFree(CacheMemory memory, long location) {
    return (memory.getInt(location + SIZE_AND_FLAGS) & LOWER_FREE) != 0;
  }

  static void lowerFree(CacheMemory memory, long location, boolean free) {
    int word = memory.getInt(location + SIZE_AND_FLAGS);
    memory.putInt(location + SIZE_AND_FLAGS, free ? word | LOWER_FREE : word & ~LOWER_FREE);
  }

  /** The size of the extent that ends here and is free. */
  static int sizeOfLower(CacheMemory memory, long location) {
    return memory.getInt(location - Integer.BYTES);
  }

  /** Makes a free extent, or gives it another size. Its lower neighbour is in use. */
  static void free(CacheMemory memory, long location, int size) {
    memory.putInt(location + SIZE_AND_FLAGS, size);
    memory.putInt(location + LENGTH, 0);
    memory.putInt(location + size - Integer.BYTES, size);
  }

  /** Makes a part of a block. Its lower neighbour is in use. */
  static void use(CacheMemory memory, long location, int size, int length, boolean head) {
    memory.putInt(location + SIZE_AND_FLAGS, size | USED | (head ? HEAD : 0));
    memory.putInt(location + LENGTH, length);
  }

  /** The same with another part behind. */
  static void use(
      CacheMemory memory, long location, int size, int length, boolean head, long next) {
    use(memory, location, size, length | MORE, head);
    memory.putLong(location + NEXT_PART, next);
  }

  /** What was an extent's header lies within a free extent now. */
  static void erase(CacheMemory memory, long location) {
    memory.putInt(location + SIZE_AND_FLAGS, 0);
  }

  /** Bytes of payload. */
  static int length(CacheMemory memory, long location) {
    return memory.getInt(location + LENGTH) & ~MORE;
  }

  static boolean more(CacheMemory memory, long location) {
    return memory.getInt(location + LENGTH) < 0;
  }

  /** Bytes in front of the payload of a block's first part. */
  public static int header(boolean whole) {
    return whole ? HEADER : LINKED_HEADER;
  }

  static int header(CacheMemory memory, long location) {
    return more(memory, location) ? LINKED_HEADER : HEADER;
  }

  static long nextPart(CacheMemory memory, long location) {
    return memory.getLong(location + NEXT_PART);
  }

  static long previousFree(CacheMemory memory, long location) {
    return memory.getLong(location + PREVIOUS_FREE);
  }

  static void previousFree(CacheMemory memory, long location, long previous) {
    memory.putLong(location + PREVIOUS_FREE, previous);
  }

  /** Whether a free extent is in a list. */
  static boolean listed(CacheMemory memory, long location) {
    return previousFree(memory, location) != UNLISTED;
  }

  /** Marks a free extent that is in no list. */
  static void unlist(CacheMemory memory, long location) {
    previousFree(memory, location, UNLISTED);
  }

  static long nextFree(CacheMemory memory, long location) {
    return memory.getLong(location + NEXT_FREE);
  }

  static void nextFree(CacheMemory memory, long location, long next) {
    memory.putLong(location + NEXT_FREE, next);
  }
}
