package org.apache.hadoop.hbase.regionserver;

/**
 * Keeps the count of a row that a store would make while a thread reads rows before HBase asks for
 * them. The count is made when the row is given. For one thread.
 */
final class StoreReads {
  private static final ThreadLocal<StoreReads> CURRENT = new ThreadLocal<>();

  private LeanStore store;
  private boolean fromMemstore;

  /** From here on, the counts of the calling thread are kept. */
  static StoreReads begin() {
    StoreReads reads = new StoreReads();
    CURRENT.set(reads);
    return reads;
  }

  /** From here on, the stores count for the calling thread. */
  static void end() {
    CURRENT.remove();
  }

  /** Returns whether the calling thread keeps its counts, and so this one. */
  static boolean keep(LeanStore store, boolean fromMemstore) {
    StoreReads reads = CURRENT.get();
    if (reads == null) {
      return false;
    }
    reads.store = store;
    reads.fromMemstore = fromMemstore;
    return true;
  }

  boolean fromMemstore() {
    return fromMemstore;
  }

  /** Returns the store of the count that was kept last, or null, and forgets it. */
  LeanStore take() {
    LeanStore taken = store;
    store = null;
    return taken;
  }
}
