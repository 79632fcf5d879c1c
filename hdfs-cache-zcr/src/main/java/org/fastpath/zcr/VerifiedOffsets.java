package org.fastpath.zcr;

/**
 * The offsets in a mapping at which verified data begins. The bytes of a mapping do not change, so
 * each part is verified once.
 *
 * <p>A hash table of ints, open and at most half full, that doubles as it grows: four to sixteen
 * bytes for an offset. It may lose an offset, which costs another verification: one of two
 * concurrent additions, and all beyond {@link #MAX}. Reading takes no lock. Thread-safe.
 */
public final class VerifiedOffsets {
  private static final int MIN_SLOTS = 16;

  /** The maximum number of offsets: enough for blocks of 1 KB in a mapping of 256 MB. */
  static final int MAX = 1 << 18;

  /** Each slot holds an offset plus one; an empty slot is 0. */
  private volatile int[] slots = new int[MIN_SLOTS];

  private int count;

  VerifiedOffsets() {}

  /** Returns whether the offset was added. */
  public boolean contains(int offset) {
    int[] table = slots;
    int key = offset + 1;
    return table[slotOf(table, key)] == key;
  }

  /** Adds an offset. */
  public synchronized void add(int offset) {
    if (count < MAX && insert(slots, offset + 1)) {
      count++;
      if (2 * count > slots.length) {
        grow();
      }
    }
  }

  private void grow() {
    int[] larger = new int[2 * slots.length];
    for (int key : slots) {
      if (key != 0) {
        insert(larger, key);
      }
    }
    slots = larger;
  }

  private static boolean insert(int[] table, int key) {
    int slot = slotOf(table, key);
    boolean isNew = table[slot] == 0;
    table[slot] = key;
    return isNew;
  }

  /** Returns the slot of a key, or the free slot for it. Another thread may fill that slot. */
  private static int slotOf(int[] table, int key) {
    int mask = table.length - 1;
    int mixed = key * 0x9E3779B9;
    int slot = (mixed ^ mixed >>> 16) & mask;
    while (table[slot] != 0 && table[slot] != key) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  synchronized int size() {
    return count;
  }
}
