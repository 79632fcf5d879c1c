package org.fastpath.offheap.reader;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells which blocks of open files are in memory outside of the cache. A cache asks before it
 * stores a block, also one from a prefetch. So no block is in memory twice.
 *
 * <p>Thread-safe.
 */
public final class HeldElsewhere {
  /** The sources by the names of their files, as in keys of blocks. */
  private static final ConcurrentHashMap<String, BlockSource> SOURCES = new ConcurrentHashMap<>();

  private HeldElsewhere() {}

  static void add(String file, BlockSource source) {
    SOURCES.put(file, source);
  }

  static void remove(String file, BlockSource source) {
    SOURCES.remove(file, source);
  }

  /**
   * Returns the size on disk, with header, of a data block in such memory; 0 if it is not there.
   * May map a replica, so a thread that must not wait must not call it.
   */
  public static int size(String file, long offset) {
    BlockSource source = SOURCES.get(file);
    return source == null ? 0 : source.heldSize(offset);
  }

  /**
   * Returns how many bytes from the beginning of a file are in such memory, without a gap. May map
   * replicas, as {@link #size} does.
   */
  public static long bytes(String file) {
    BlockSource source = SOURCES.get(file);
    return source == null ? 0 : source.heldBytes();
  }
}
