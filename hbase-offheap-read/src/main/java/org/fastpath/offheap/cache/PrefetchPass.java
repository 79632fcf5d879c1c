package org.fastpath.offheap.cache;

/**
 * Tells HBase's prefetch which cached blocks it may skip. HBase 2.6 remembers the size of the block
 * behind the last one that it read, and passes it to the next read. If it skipped blocks between
 * the two, the size is that of another block, and the prefetch of the file ends with an exception.
 * So a prefetch that has read a block reads the rest of the file.
 *
 * <p>Each thread that prefetches has its own pass over a file. Safe from any thread.
 */
final class PrefetchPass {
  private static final String THREADS = "hfile-prefetch-";
  private static final ThreadLocal<PrefetchPass> LAST = new ThreadLocal<>();

  private final String file;
  private final long offset;
  private final boolean hasRead;

  private PrefetchPass(String file, long offset, boolean hasRead) {
    this.file = file;
    this.offset = offset;
    this.hasRead = hasRead;
  }

  /**
   * Whether this thread prefetches. It reads blocks again that are cached, so what it hands to the
   * cache is not compared: HBase may have cached a block compressed that it now caches unpacked.
   */
  static boolean isPrefetch() {
    return Thread.currentThread().getName().startsWith(THREADS);
  }

  /**
   * Whether the thread may skip a block of a file.
   *
   * @param cached whether the block is cached
   */
  static boolean maySkip(String file, long offset, boolean cached) {
    if (!isPrefetch()) {
      return cached;
    }
    PrefetchPass last = LAST.get();
    boolean goesOn = last != null && last.file.equals(file) && last.offset < offset;
    boolean reads = !cached || goesOn && last.hasRead;
    LAST.set(new PrefetchPass(file, offset, reads));
    return !reads;
  }
}
