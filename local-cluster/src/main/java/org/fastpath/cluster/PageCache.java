package org.fastpath.cluster;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a kernel keeps in memory of what was written and read: of all blocks as much as fits, those
 * that were used last. A block is there as a whole or not at all, which is as good as pages are if
 * files are many and small beside the memory; deleted ones stay until others take their place.
 * Thread-safe.
 */
final class PageCache {
  private final long capacity;
  private final Map<Long, Long> bytesByBlock = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  PageCache(long capacity) {
    this.capacity = capacity;
  }

  synchronized boolean contains(long block) {
    return bytesByBlock.containsKey(block);
  }

  /** Notes that the block was used, if it is there. */
  synchronized void touch(long block) {
    bytesByBlock.get(block);
  }

  /** Takes in bytes of a block, and lets those go that were not used for longest. */
  synchronized void add(long block, long more) {
    bytesByBlock.merge(block, more, Long::sum);
    bytes += more;
    Iterator<Long> oldest = bytesByBlock.values().iterator();
    while (bytes > capacity) {
      bytes -= oldest.next();
      oldest.remove();
    }
  }
}
