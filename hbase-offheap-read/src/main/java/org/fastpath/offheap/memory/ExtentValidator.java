package org.fastpath.offheap.memory;

/** Walks all extents of a memory and compares them with the allocator's counters. */
final class ExtentValidator {
  private final CacheMemory memory;
  private final int active;

  /** Whether a sweep is in progress, so that only some free extents are in the lists. */
  private final boolean sweeping;

  private long payload;
  private long overhead;
  private long listed;
  private long continuations;
  private long linked;

  ExtentValidator(CacheMemory memory, int active, boolean sweeping) {
    this.memory = memory;
    this.active = active;
    this.sweeping = sweeping;
  }

  /** Returns the bytes of the first regions. */
  static long bytes(CacheMemory memory, int regions) {
    long bytes = 0;
    for (int i = 0; i < regions; i++) {
      bytes += memory.region(i).capacity();
    }
    return bytes;
  }

  static void check(boolean condition, String what, long where) {
    if (!condition) {
      throw new AssertionError(what + ": " + where);
    }
  }

  void validate(FreeExtents free, long payloadBytes, long overheadBytes, int[] partsIn) {
    check(partsIn.length >= memory.regions(), "counters of regions", partsIn.length);
    for (int i = 0; i < memory.regions(); i++) {
      int parts = walk(i);
      check(parts == partsIn[i], "parts in region " + i + ", counted " + partsIn[i], parts);
    }
    check(payload == payloadBytes, "payload, counted " + payloadBytes, payload);
    check(overhead == overheadBytes, "overhead, counted " + overheadBytes, overhead);
    check(continuations == linked, "parts behind others, linked " + linked, continuations);
    check(free.validate() == listed, "free extents", listed);
  }

  private int walk(int region) {
    int parts = 0;
    boolean lowerFree = false;
    int end = memory.region(region).capacity();
    int size;
    for (int offset = 0; offset < end; offset += size) {
      long location = CacheMemory.location(region, offset);
      size = ExtentDescriptor.size(memory, location);
      check(size > 0 && size <= end - offset, "extent leaves its region", location);
      check(ExtentDescriptor.lowerFree(memory, location) == lowerFree, "wrong flag", location);
      if (ExtentDescriptor.used(memory, location)) {
        walkPart(location, size);
        parts++;
        lowerFree = false;
      } else {
        check(!lowerFree, "free extents side by side", location);
        check(
            ExtentDescriptor.sizeOfLower(memory, location + size) == size,
            "size at the end",
            location);
        walkFree(region, location);
        lowerFree = true;
      }
    }
    return parts;
  }

  private void walkFree(int region, long location) {
    boolean isListed = ExtentDescriptor.listed(memory, location);
    check(sweeping || isListed == region < active, "free extent in or out of lists", location);
    listed += isListed ? 1 : 0;
  }

  private void walkPart(long location, int size) {
    int length = ExtentDescriptor.length(memory, location);
    int extra = size - ExtentDescriptor.header(memory, location) - length;
    check(length > 0 && extra >= 0, "payload does not fit", location);
    payload += length;
    overhead += size - length;
    if (!ExtentDescriptor.head(memory, location)) {
      continuations++;
    }
    if (ExtentDescriptor.more(memory, location)) {
      long next = ExtentDescriptor.nextPart(memory, location);
      check(
          ExtentDescriptor.used(memory, next) && !ExtentDescriptor.head(memory, next),
          "broken link",
          location);
      linked++;
    }
  }
}
