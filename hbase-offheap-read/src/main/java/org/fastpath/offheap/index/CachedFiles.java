package org.fastpath.offheap.index;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The files of which blocks are cached, by name and by number. A number is used once: a reader that
 * still has a file in hand that is gone must not find the blocks of another one.
 *
 * <p>Looking up is safe from any thread; adding and removing happens under the cache's lock.
 */
public final class CachedFiles {
  private final ConcurrentMap<String, CachedFile> byName = new ConcurrentHashMap<>();
  private final ConcurrentMap<Integer, CachedFile> byNumber = new ConcurrentHashMap<>();
  private int next;

  public CachedFiles() {
    this(0);
  }

  /** Begins with a number; for tests. */
  CachedFiles(int first) {
    next = first;
  }

  /** Goes on with another number, as after 2^32 files; for tests. */
  CachedFiles startingAgainAt(int number) {
    next = number;
    return this;
  }

  /** The file of that name, or null if no block of it is cached. */
  public CachedFile get(String name) {
    return byName.get(name);
  }

  /** The file of that number, or null if no block of it is cached any more. */
  public CachedFile get(int number) {
    return byNumber.get(number);
  }

  /** The file of that name, made known if it is not: by name and by number, or not at all. */
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

  /** After 2^32 files numbers come again, those of files that are still there excepted. */
  private int unusedNumber() {
    while (byNumber.containsKey(next)) {
      next++;
    }
    return next++;
  }

  /** Forgets a file without blocks. */
  public void removeIfEmpty(CachedFile file) {
    if (file.blocks() == 0) {
      byName.remove(file.name());
      byNumber.remove(file.number());
    }
  }

  public Collection<CachedFile> all() {
    return byName.values();
  }
}
