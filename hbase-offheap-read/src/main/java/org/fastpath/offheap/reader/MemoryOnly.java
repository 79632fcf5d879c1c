package org.fastpath.offheap.reader;

/**
 * Marks threads that may read blocks from memory only. A miss in such a thread ends the read
 * instead of leading to a read of the file.
 *
 * <p>The cache throws {@link Miss}, an Error: HBase takes an exception of a cache for damage, warns
 * and reads the file. Readers of ours turn it into {@link NotInMemoryException} at once, since
 * HBase closes its scanners after an IOException only. For a Bloom filter they answer that it does
 * not exclude the row, since HBase would leave the filter out from then on.
 *
 * <p>The mark is asked for at a miss, never at a hit. Each thread sees its own mark.
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
   * Takes the mark from the calling thread.
   *
   * @return whether a Bloom filter was answered for without its block
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
   * Ends the read of a block that is not in memory, if the calling thread is marked.
   *
   * @throws Miss if it is
   */
  public static void miss() {
    if (isOn()) {
      throw Miss.INSTANCE;
    }
  }

  /** Answers for a Bloom filter whose block is not in memory: the row may be there. */
  public static boolean mayContain() {
    MARK.get().missed = true;
    return true;
  }

  /** Says that a block is not in memory. One object for all threads. */
  public static final class Miss extends Error {
    private static final long serialVersionUID = 1L;
    private static final Miss INSTANCE = new Miss();

    private Miss() {
      super("a block is not in memory", null, false, false);
    }
  }
}
