package org.fastpath.cluster;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a kernel keeps in memory of what was written and read: of all blocks as much as fits, those
 * that were used last. A block is there as a whole or not at all, which is as good as pages are if
 * files are many and small beside the memory; what is there of one that was read or dropped in part
 * takes memory, and is of no use. Deleted ones stay until others take their place, and how long a
 * block was is never forgotten: for loads of minutes. Thread-safe.
 */
final class PageCache {
  /** Checksums, which are written and read with the bytes, differ a little. */
  private static final double WHOLE = 0.9;

  private final long capacity;

  /** By block, the one that was used last at the end. */
  private final Map<Long, Resident> residents = new LinkedHashMap<>();

  private final Map<Long, Long> written = new HashMap<>();
  private long bytes;

  /** What is there of a block, which is written and read from its beginning to its end. */
  private static final class Resident {
    private long end;
    private long bytes;
  }

  PageCache(long capacity) {
    this.capacity = capacity;
  }

  /** Whether a block is there as a whole. */
  synchronized boolean contains(long block) {
    Resident resident = residents.get(block);
    return resident != null && resident.bytes >= WHOLE * written.getOrDefault(block, 0L);
  }

  /** Notes that a block was used, if it is there. */
  synchronized void touch(long block) {
    Resident resident = residents.remove(block);
    if (resident != null) {
      residents.put(block, resident);
    }
  }

  /** Takes in the next bytes that are written of a block. */
  synchronized void write(long block, long more) {
    written.merge(block, more, Long::sum);
    add(block, more);
  }

  /**
   * Takes in the next bytes of a block that devices read, and lets those go that were not used for
   * longest.
   */
  synchronized void add(long block, long more) {
    touch(block);
    Resident resident = residents.computeIfAbsent(block, id -> new Resident());
    resident.end += more;
    resident.bytes += more;
    bytes += more;
    Iterator<Resident> oldest = residents.values().iterator();
    while (bytes > capacity) {
      bytes -= oldest.next().bytes;
      oldest.remove();
    }
  }

  /** Lets what is before an offset of a block go, because a DataNode does not want it kept. */
  synchronized void drop(long block, long before) {
    Resident resident = residents.get(block);
    if (resident != null) {
      long kept = Math.min(resident.bytes, Math.max(0, resident.end - before));
      bytes += kept - resident.bytes;
      resident.bytes = kept;
    }
  }

  /** Lets a block go. */
  synchronized void forget(long block) {
    Resident resident = residents.remove(block);
    if (resident != null) {
      bytes -= resident.bytes;
    }
  }
}
