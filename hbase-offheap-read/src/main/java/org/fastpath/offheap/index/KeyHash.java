package org.fastpath.offheap.index;

/** Computes 64 well-mixed bits of a block's key, any of which may choose a place. */
public final class KeyHash {
  private KeyHash() {}

  public static long of(BlockEntries entries, int entry) {
    return of(entries.file(entry), entries.offset(entry));
  }

  public static long of(int file, long offset) {
    long mixed = offset + file * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
