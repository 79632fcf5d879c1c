package org.fastpath.offheap.memory;

/**
 * An extent: a run of bytes of one region that is either free or one part of a block. Extents tile
 * a region without gaps. Begin and size of each are multiples of {@link #GRANULE} bytes, so the low
 * bits of its first word are free for flags.
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
 *       | payload                 |           | old bytes               |
 *  s-4  |                         |           +-------------------------+
 *       |                         |           | size                    |
 *    s  +-------------------------+           +-------------------------+
 *
 *  flags:  bit 0  USED       part of a block
 *          bit 1  LOWER_FREE the extent at lower addresses is free: its size is 4 bytes in front
 *          bit 2  HEAD       first part of a block
 * </pre>
 *
 * <p>The header has two words because readers take no lock. If the extent below is freed or
 * allocated, the first word of this one changes. The second word and the link to the next part are
 * written before a block is visible. They stay until it is freed; readers read only these. The size
 * at the end of an extent exists only while it is free. So a block needs 8 bytes, and 8 more for
 * each part with a successor.
 */
public final class ExtentDescriptor {
  /** Begin and size of extents are multiples of this. It holds the header of a free extent. */
  public static final int GRANULE = 32;

  /** The header before the payload of a block's last, and mostly only, part. */
  static final int HEADER = 8;

  /** The header before the payload of a part with a successor. */
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

  /** The link of a free extent that is in no list. */
  private static final long UNLISTED = -2;

  private ExtentDescriptor() {}

  /** Returns the size of an extent with at least this many bytes. */
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

  /** Returns the size of the free extent that ends here. */
  static int sizeOfLower(CacheMemory memory, long location) {
    return memory.getInt(location - Integer.BYTES);
  }

  /** Makes or resizes a free extent. Its lower neighbour is in use. */
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

  /** Makes a part with a successor. */
  static void use(
      CacheMemory memory, long location, int size, int length, boolean head, long next) {
    use(memory, location, size, length | MORE, head);
    memory.putLong(location + NEXT_PART, next);
  }

  /** Erases a header that is now inside a free extent. */
  static void erase(CacheMemory memory, long location) {
    memory.putInt(location + SIZE_AND_FLAGS, 0);
  }

  /** Returns the bytes of payload. */
  static int length(CacheMemory memory, long location) {
    return memory.getInt(location + LENGTH) & ~MORE;
  }

  static boolean more(CacheMemory memory, long location) {
    return memory.getInt(location + LENGTH) < 0;
  }

  /** Returns the bytes before the payload of a block's first part. */
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

  /** Returns whether a free extent is in a list. */
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
