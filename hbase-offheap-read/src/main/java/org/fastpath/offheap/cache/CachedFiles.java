package org.fastpath.offheap.cache;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The files of which blocks are cached, by name and by number. A number is used once: a reader that
 * still has a file in hand that is gone must not find the blocks of another one.
 *
 * <p>Looking up is safe from any thread; adding and removing happens under the cache's lock.
 */
final class CachedFiles {
  private final ConcurrentMap<String, CachedFile> byName = new ConcurrentHashMap<>();
  private final ConcurrentMap<Integer, CachedFile> byNumber = new ConcurrentHashMap<>();
  private int numbers;

  /** The file of that name, or null if no block of it is cached. */
  CachedFile get(String name) {
    return byName.get(name);
  }

  /** The file of that number, or null if no block of it is cached any more. */
  CachedFile get(int number) {
    return byNumber.get(number);
  }

  /** The file of that name, made known if it is not. */
  CachedFile intern(String name) {
    CachedFile file = byName.get(name);
    if (file == null) {
      file = new CachedFile(numbers++, name);
      byNumber.put(file.number(), file);
      byName.put(name, file);
    }
    return file;
  }

  /** Forgets a file without blocks. */
  void removeIfEmpty(CachedFile file) {
    if (file.blocks() == 0) {
      byName.remove(file.name());
      byNumber.remove(file.number());
    }
  }

  Collection<CachedFile> all() {
    return byName.values();
  }
}
