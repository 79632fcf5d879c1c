package org.fastpath.cluster;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Models a kernel's page cache: the most recently used blocks, as many as fit. A block is in memory
 * as a whole or not at all, which is exact enough for many small files. A partly read or dropped
 * block takes memory without a benefit. Deleted blocks stay until others replace them, and the
 * length of a block is never dropped. The model is for loads of minutes. Thread-safe.
 */
final class PageCache {
  /** Checksums, which are written and read with the bytes, change the length a little. */
  private static final double WHOLE = 0.9;

  private final long capacity;

  /** Blocks, the most recently used one last. */
  private final Map<Long, Resident> residents = new LinkedHashMap<>();

  private final Map<Long, Long> written = new HashMap<>();
  private long bytes;

  /** The part of a block in memory. Blocks are written and read from begin to end. */
  private static final class Resident {
    private long end;
    private long bytes;
  }

  PageCache(long capacity) {
    this.capacity = capacity;
  }

  /** Returns whether a whole block is in memory. */
  synchronized boolean contains(long block) {
    Resident resident = residents.get(block);
    return resident != null && resident.bytes >= WHOLE * written.getOrDefault(block, 0L);
  }

  /** Records the use of a block, if it is in memory. */
  synchronized void touch(long block) {
    Resident resident = residents.remove(block);
    if (resident != null) {
      residents.put(block, resident);
    }
  }

  /** Adds the next written bytes of a block. */
  synchronized void write(long block, long more) {
    written.merge(block, more, Long::sum);
    add(block, more);
  }

  /** Adds the next bytes of a block that devices read, and evicts the least recently used ones. */
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

  /** Drops the part of a block before an offset, on a DataNode's advice. */
  synchronized void drop(long block, long before) {
    Resident resident = residents.get(block);
    if (resident != null) {
      long kept = Math.min(resident.bytes, Math.max(0, resident.end - before));
      bytes += kept - resident.bytes;
      resident.bytes = kept;
    }
  }

  /** Drops a block. */
  synchronized void forget(long block) {
    Resident resident = residents.remove(block);
    if (resident != null) {
      bytes -= resident.bytes;
    }
  }
}
