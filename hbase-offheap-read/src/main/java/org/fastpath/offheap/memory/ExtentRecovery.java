package org.fastpath.offheap.memory;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Checks which recorded blocks of an earlier process are possible. It trusts nothing: it follows
 * headers only inside the memory, and rejects both of two overlapping claims. The cache verifies
 * the payload.
 *
 * <p>It needs 8 bytes of heap per part of a block while the allocator is built.
 */
final class ExtentRecovery {
  /** Memory without blocks. */
  static final ExtentRecovery NOTHING = new ExtentRecovery(null);

  private final CacheMemory memory;
  private final BitSet refused = new BitSet();

  /** The begins of parts, sorted after all claims were checked. */
  private long[] parts = {};

  private int count;
  private int next;

  private ExtentRecovery(CacheMemory memory) {
    this.memory = memory;
  }

  static ExtentRecovery of(CacheMemory memory, ExtentAllocator.Claims claims) {
    ExtentRecovery recovery = new ExtentRecovery(memory);
    recovery.collect(claims);
    recovery.refuseOverlaps(claims);
    recovery.refused.stream().forEach(claims::refuse);
    return recovery;
  }

  /** Collects the parts of all accepted claims. */
  private void collect(ExtentAllocator.Claims claims) {
    count = 0;
    for (int i = 0; i < claims.count(); i++) {
      if (!refused.get(i) && !follow(claims.location(i), claims.length(i))) {
        refused.set(i);
      }
    }
    Arrays.sort(parts, 0, count);
  }

  private boolean follow(long location, int length) {
    int before = count;
    int left = length;
    long part = location;
    for (int i = 0; i < ExtentAllocator.maxParts(length); i++) {
      if (!plausible(part, i == 0)) {
        break;
      }
      add(part);
      left -= ExtentDescriptor.length(memory, part);
      if (!ExtentDescriptor.more(memory, part)) {
        if (left == 0) {
          return true;
        }
        break;
      }
      part = ExtentDescriptor.nextPart(memory, part);
    }
    count = before;
    return false;
  }

  private boolean plausible(long location, boolean head) {
    if (location < 0 || location >>> CacheMemory.REGION_SHIFT >= memory.regions()) {
      return false;
    }
    int offset = CacheMemory.offsetOf(location);
    int room = memory.region(CacheMemory.regionOf(location)).capacity() - offset;
    if (offset % ExtentDescriptor.GRANULE != 0 || room < ExtentDescriptor.GRANULE) {
      return false;
    }
    int size = ExtentDescriptor.size(memory, location);
    int length = ExtentDescriptor.length(memory, location);
    return ExtentDescriptor.used(memory, location)
        && ExtentDescriptor.head(memory, location) == head
        && size > 0
        && size <= room
        && length > 0
        && length <= size - ExtentDescriptor.header(memory, location);
  }

  private void add(long part) {
    if (count == parts.length) {
      parts = Arrays.copyOf(parts, Math.max(1024, 2 * count));
    }
    parts[count++] = part;
  }

  private void refuseOverlaps(ExtentAllocator.Claims claims) {
    BitSet overlapping = overlapping();
    if (overlapping.isEmpty()) {
      return;
    }
    for (int i = 0; i < claims.count(); i++) {
      if (!refused.get(i) && touches(claims.location(i), overlapping)) {
        refused.set(i);
      }
    }
    collect(claims);
  }

  /** Returns the parts, by their order, that overlap another one. */
  private BitSet overlapping() {
    BitSet overlapping = new BitSet();
    int furthest = 0;
    for (int i = 1; i < count; i++) {
      if (parts[i] < end(furthest)) {
        overlapping.set(furthest);
        overlapping.set(i);
      }
      if (end(i) > end(furthest)) {
        furthest = i;
      }
    }
    return overlapping;
  }

  private long end(int part) {
    return parts[part] + ExtentDescriptor.size(memory, parts[part]);
  }

  private boolean touches(long location, BitSet overlapping) {
    for (long part = location; ; ) {
      if (overlapping.get(Arrays.binarySearch(parts, 0, count, part))) {
        return true;
      }
      if (!ExtentDescriptor.more(memory, part)) {
        return false;
      }
      part = ExtentDescriptor.nextPart(memory, part);
    }
  }

  /** Returns the next part by location that begins before this end, or NONE, each once. */
  long nextPartBefore(long end) {
    return next < count && parts[next] < end ? parts[next++] : ExtentAllocator.NONE;
  }
}
