package org.fastpath.offheap.reader;

/**
 * Marks threads that may read blocks from memory only. A miss in such a thread ends the read
 * instead of reading the file.
 *
 * <p>The cache throws {@link Miss}, an Error. HBase treats an exception of a cache as damage, logs
 * a warning and reads the file. Our readers turn it into {@link NotInMemoryException} at once,
 * because HBase closes its scanners only after an IOException. For a Bloom filter, our readers
 * answer that the row may exist. Otherwise HBase would ignore the filter from then on.
 *
 * <p>The mark is checked at a miss, never at a hit. Each thread has its own mark.
 */
public final class MemoryOnly {
  private static final ThreadLocal<MemoryOnly> MARK = new ThreadLocal<>();

  private boolean missed;

  private MemoryOnly() {}

  /** Marks the calling thread. */
  public static void begin() {
    MARK.set(new MemoryOnly());
  }

  /**
   * Removes the mark from the calling thread.
   *
   * @return whether a Bloom filter was answered without its block
   */
  public static boolean end() {
    MemoryOnly mark = MARK.get();
    MARK.remove();
    return mark != null && mark.missed;
  }

  /** Returns whether the calling thread may read from memory only. */
  public static boolean isOn() {
    return MARK.get() != null;
  }

  /**
   * Ends the read of a block that is not in memory if the calling thread is marked.
   *
   * @throws Miss if the thread is marked
   */
  public static void miss() {
    if (isOn()) {
      throw Miss.INSTANCE;
    }
  }

  /** Answers for a Bloom filter whose block is not in memory: the row may exist. */
  public static boolean mayContain() {
    MARK.get().missed = true;
    return true;
  }

  /** Signals that a block is not in memory. All threads share one instance. */
  public static final class Miss extends Error {
    private static final long serialVersionUID = 1L;
    private static final Miss INSTANCE = new Miss();

    private Miss() {
      super("a block is not in memory", null, false, false);
    }
  }
}
