package org.fastpath.zcr;

/**
 * Offsets in a mapping from which on bytes were found good. Who verifies what is in a mapping does
 * so once, because its bytes do not change, and remembers it here.
 *
 * <p>A hash table of ints, open and at most half full, that doubles as it grows: four to sixteen
 * bytes for an offset. It may forget, which costs another verification: an offset that another
 * thread adds at the same moment, and all beyond {@link #MOST}. Reading takes no lock; safe from
 * any thread.
 */
public final class VerifiedOffsets {
  private static final int LEAST_SLOTS = 16;

  /** So many are remembered: of blocks as small as 1 KB, those of a mapping of 256 MB. */
  static final int MOST = 1 << 18;

  /** Each an offset and one, since an empty slot is 0. */
  private volatile int[] slots = new int[LEAST_SLOTS];

  private int count;

  VerifiedOffsets() {}

  /** Whether it was added. */
  public boolean contains(int offset) {
    int[] table = slots;
    int key = offset + 1;
    return table[slotOf(table, key)] == key;
  }

  /** Remembers it. */
  public synchronized void add(int offset) {
    if (count < MOST && insert(slots, offset + 1)) {
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

  /** Where a key is, or would be; another thread may fill that slot. */
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
