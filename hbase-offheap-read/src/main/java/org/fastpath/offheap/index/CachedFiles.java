package org.fastpath.offheap.index;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The files with cached blocks, by name and by number. A number is used once, so a reader of a
 * removed file never finds the blocks of another one.
 *
 * <p>Look-ups are thread-safe; adding and removing need the cache's lock.
 */
public final class CachedFiles {
  private final ConcurrentMap<String, CachedFile> byName = new ConcurrentHashMap<>();
  private final ConcurrentMap<Integer, CachedFile> byNumber = new ConcurrentHashMap<>();
  private final CachedRegions regions = new CachedRegions();
  private int next;

  public CachedFiles() {
    this(0);
  }

  /** Makes it with a first number; for tests. */
  CachedFiles(int first) {
    next = first;
  }

  /** Continues with another number, as after 2^32 files; for tests. */
  CachedFiles startingAgainAt(int number) {
    next = number;
    return this;
  }

  /** Returns the file of that name, or null if no block of it is cached. */
  public CachedFile get(String name) {
    return byName.get(name);
  }

  /** Returns the file of that number, or null if no block of it is cached any more. */
  public CachedFile get(int number) {
    return byNumber.get(number);
  }

  /**
   * Returns the file of that name, and adds it if it is new: by name and by number, or not at all.
   */
  public CachedFile intern(String name) {
    CachedFile file = byName.get(name);
    if (file == null) {
      file = new CachedFile(unusedNumber(), name);
      byNumber.put(file.number(), file);
      boolean known = false;
      try {
        byName.put(name, file);
        known = true;
      } finally {
        if (!known) {
          byNumber.remove(file.number());
        }
      }
    }
    return file;
  }

  /** Returns an unused number. After 2^32 files numbers repeat, except those of current files. */
  private int unusedNumber() {
    while (byNumber.containsKey(next)) {
      next++;
    }
    return next++;
  }

  /** Removes a file without blocks. */
  public void removeIfEmpty(CachedFile file) {
    if (file.blocks() == 0) {
      byName.remove(file.name());
      byNumber.remove(file.number());
      file.leave(regions);
    }
  }

  /** Reports a file's region, which is known only later than its first block. */
  public void region(CachedFile file, String region) {
    file.enter(regions, region);
  }

  /** Returns a live view of the bytes of cached blocks by region. */
  public Map<String, Long> regionBytes() {
    return regions;
  }

  public Collection<CachedFile> all() {
    return byName.values();
  }
}
