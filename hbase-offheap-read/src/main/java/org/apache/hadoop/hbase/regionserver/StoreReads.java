package org.apache.hadoop.hbase.regionserver;

/**
 * Delays a store's count of a row while a thread reads rows before HBase asks for them. The row is
 * counted when HBase gets it. Not thread-safe.
 */
final class StoreReads {
  private static final ThreadLocal<StoreReads> CURRENT = new ThreadLocal<>();

  private LeanStore store;
  private boolean fromMemstore;

  /** Starts to delay the counts of the calling thread. */
  static StoreReads begin() {
    StoreReads reads = new StoreReads();
    CURRENT.set(reads);
    return reads;
  }

  /** Ends the delay: stores count for the calling thread again. */
  static void end() {
    CURRENT.remove();
  }

  /** Delays a count if the calling thread delays its counts; returns whether it does. */
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

  /** Returns the store of the last delayed count, or null, and forgets it. */
  LeanStore take() {
    LeanStore taken = store;
    store = null;
    return taken;
  }
}
