package org.fastpath.offheap.memory;

/**
 * Free extents by size. Each of about 16,000 size classes has a doubly linked list through the
 * extents themselves. A three-level bitmap marks non-empty lists.
 *
 * <p>Each size below 64 KiB has a class. Above, a class spans a thousandth of its size
 * (2<sup>-10</sup>). So best fit to a thousandth takes a constant number of steps. Not thread-safe.
 */
final class FreeExtents {
  static final long NONE = ExtentAllocator.NONE;

  private static final int PRECISION = 10;
  private static final int CLASSES =
      sizeClass(CacheMemory.MAX_REGION_BYTES / ExtentDescriptor.GRANULE) + 1;

  /** The number of examined members of a class whose sizes may differ. */
  private static final int MAX_EXAMINED = 8;

  private final CacheMemory memory;
  private final Memory heads = Memory.allocate((long) CLASSES * Long.BYTES);
  private final long[] members = new long[words(CLASSES)];
  private final long[] nonEmptyWords = new long[words(members.length)];
  private volatile long bytes;

  FreeExtents(CacheMemory memory) {
    this.memory = memory;
    for (int i = 0; i < CLASSES; i++) {
      head(i, NONE);
    }
  }

  private static int words(int bits) {
    return (bits + Long.SIZE - 1) / Long.SIZE;
  }

  /** Returns the class of a size in granules. */
  private static int sizeClass(int granules) {
    int shift = shift(granules);
    return (shift << PRECISION) + (granules >>> shift);
  }

  private static int shift(int granules) {
    return Math.max(0, Integer.SIZE - 1 - PRECISION - Integer.numberOfLeadingZeros(granules));
  }

  /** Returns the first class whose members are all at least this large. */
  private static int roomyClass(int granules) {
    int shift = shift(granules);
    return sizeClass(granules + (1 << shift) - 1);
  }

  /** Returns the bytes of all free extents. */
  long bytes() {
    return bytes;
  }

  void add(long location, int size) {
    int sizeClass = sizeClass(size / ExtentDescriptor.GRANULE);
    long first = head(sizeClass);
    ExtentDescriptor.previousFree(memory, location, NONE);
    ExtentDescriptor.nextFree(memory, location, first);
    if (first == NONE) {
      mark(sizeClass);
    } else {
      ExtentDescriptor.previousFree(memory, first, location);
    }
    head(sizeClass, location);
    bytes = bytes + size;
  }

  void remove(long location, int size) {
    long previous = ExtentDescriptor.previousFree(memory, location);
    long next = ExtentDescriptor.nextFree(memory, location);
    if (next != NONE) {
      ExtentDescriptor.previousFree(memory, next, previous);
    }
    if (previous != NONE) {
      ExtentDescriptor.nextFree(memory, previous, next);
    } else {
      int sizeClass = sizeClass(size / ExtentDescriptor.GRANULE);
      head(sizeClass, next);
      if (next == NONE) {
        clear(sizeClass);
      }
    }
    bytes = bytes - size;
  }

  /**
   * Returns a smallest extent, to a thousandth, with at least this size, or {@link #NONE}. It stays
   * in its list.
   */
  long atLeast(int size) {
    int granules = size / ExtentDescriptor.GRANULE;
    int sizeClass = sizeClass(granules);
    int roomy = roomyClass(granules);
    if (roomy != sizeClass) {
      long location = head(sizeClass);
      for (int i = 0; i < MAX_EXAMINED && location != NONE; i++) {
        if (size(location) >= size) {
          return location;
        }
        location = ExtentDescriptor.nextFree(memory, location);
      }
    }
    int found = from(roomy);
    return found < 0 ? NONE : head(found);
  }

  /** Returns a largest extent, to a thousandth. */
  long largest() {
    return below(CLASSES);
  }

  /** Returns a largest extent, to a thousandth, that is smaller than this. */
  long smallerThan(int size) {
    return below(sizeClass(size / ExtentDescriptor.GRANULE));
  }

  private long below(int sizeClass) {
    int found = before(sizeClass);
    return found < 0 ? NONE : head(found);
  }

  private int size(long location) {
    return ExtentDescriptor.size(memory, location);
  }

  private long head(int sizeClass) {
    return heads.getLong((long) sizeClass * Long.BYTES);
  }

  private void head(int sizeClass, long location) {
    heads.putLong((long) sizeClass * Long.BYTES, location);
  }

  private void mark(int sizeClass) {
    int word = sizeClass / Long.SIZE;
    members[word] |= 1L << sizeClass;
    nonEmptyWords[word / Long.SIZE] |= 1L << word;
  }

  private void clear(int sizeClass) {
    int word = sizeClass / Long.SIZE;
    members[word] &= ~(1L << sizeClass);
    if (members[word] == 0) {
      nonEmptyWords[word / Long.SIZE] &= ~(1L << word);
    }
  }

  /** Returns the first class from this one on that has members, or -1. */
  private int from(int sizeClass) {
    if (sizeClass >= CLASSES) {
      return -1;
    }
    int word = sizeClass / Long.SIZE;
    long bits = members[word] & (-1L << sizeClass);
    if (bits == 0) {
      word = nextBit(nonEmptyWords, word + 1);
      if (word < 0) {
        return -1;
      }
      bits = members[word];
    }
    return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
  }

  /** Returns the last class before this one that has members, or -1. */
  private int before(int sizeClass) {
    int last = sizeClass - 1;
    if (last < 0) {
      return -1;
    }
    int word = last / Long.SIZE;
    long bits = members[word] & (-1L >>> (Long.SIZE - 1 - last % Long.SIZE));
    if (bits == 0) {
      word = previousBit(nonEmptyWords, word - 1);
      if (word < 0) {
        return -1;
      }
      bits = members[word];
    }
    return word * Long.SIZE + Long.SIZE - 1 - Long.numberOfLeadingZeros(bits);
  }

  private static int nextBit(long[] bitmap, int from) {
    long mask = -1L << from;
    for (int i = from / Long.SIZE; i < bitmap.length; i++) {
      long bits = bitmap[i] & mask;
      if (bits != 0) {
        return i * Long.SIZE + Long.numberOfTrailingZeros(bits);
      }
      mask = -1L;
    }
    return -1;
  }

  private static int previousBit(long[] bitmap, int to) {
    if (to < 0) {
      return -1;
    }
    long mask = -1L >>> (Long.SIZE - 1 - to % Long.SIZE);
    for (int i = to / Long.SIZE; i >= 0; i--) {
      long bits = bitmap[i] & mask;
      if (bits != 0) {
        return i * Long.SIZE + Long.SIZE - 1 - Long.numberOfLeadingZeros(bits);
      }
      mask = -1L;
    }
    return -1;
  }

  /** Checks the lists against each other and the bitmap, and counts the members. */
  long validate() {
    long count = 0;
    long sum = 0;
    for (int i = 0; i < CLASSES; i++) {
      check((head(i) != NONE) == ((members[i / Long.SIZE] >>> i & 1) != 0), "bitmap", i);
      long previous = NONE;
      for (long at = head(i); at != NONE; at = ExtentDescriptor.nextFree(memory, at)) {
        check(!ExtentDescriptor.used(memory, at), "used extent in a free list", at);
        check(sizeClass(size(at) / ExtentDescriptor.GRANULE) == i, "wrong size class", at);
        check(ExtentDescriptor.previousFree(memory, at) == previous, "broken free list", at);
        previous = at;
        sum += size(at);
        count++;
      }
    }
    for (int word = 0; word < members.length; word++) {
      boolean marked = (nonEmptyWords[word / Long.SIZE] >>> word & 1) != 0;
      check(marked == (members[word] != 0), "bitmap of words", word);
    }
    check(sum == bytes, "free bytes " + bytes + ", in the lists", sum);
    return count;
  }

  private static void check(boolean condition, String what, long where) {
    if (!condition) {
      throw new AssertionError(what + ": " + where);
    }
  }
}
