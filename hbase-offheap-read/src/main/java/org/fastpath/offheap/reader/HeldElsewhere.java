package org.fastpath.offheap.reader;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows which blocks of open files are in memory that is not a cache's. A cache asks before it
 * takes a block, so that no block is in memory twice: also where a prefetch offers it.
 *
 * <p>Safe from any thread.
 */
public final class HeldElsewhere {
  /** By the names of files, as in keys of blocks. */
  private static final ConcurrentHashMap<String, BlockSource> SOURCES = new ConcurrentHashMap<>();

  private HeldElsewhere() {}

  static void add(String file, BlockSource source) {
    SOURCES.put(file, source);
  }

  static void remove(String file, BlockSource source) {
    SOURCES.remove(file, source);
  }

  /**
   * Returns the size on disk, with header, of a data block that is in such memory; 0 if it is not.
   * May map a replica, so it is not for a thread that must not wait.
   */
  public static int size(String file, long offset) {
    BlockSource source = SOURCES.get(file);
    return source == null ? 0 : source.heldSize(offset);
  }
}
