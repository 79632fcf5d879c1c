package org.fastpath.offheap.policy;

import static org.fastpath.offheap.index.BlockEntries.NONE;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.fastpath.offheap.index.BlockEntries;

/**
 * Blocks in approximate order of frequency: one list for each power of two. A hit moves nothing. A
 * block moves to its correct list when it is examined at the tail of a list. At the end of a period
 * all frequencies are halved, so each list becomes the next lower one, and only the two lowest are
 * joined.
 *
 * <p>Guarded by the cache's lock.
 */
final class FrequencyLevels {
  private static final int LEVELS = 16;

  private final BlockEntries entries;
  private final EntryList[] levels = new EntryList[LEVELS];

  FrequencyLevels(BlockEntries entries) {
    this.entries = entries;
    for (int i = 0; i < LEVELS; i++) {
      levels[i] = new EntryList(entries);
    }
  }

  void add(int entry, int frequency) {
    levels[level(frequency)].addFirst(entry);
  }

  void remove(int entry) {
    listOf(entry).remove(entry);
  }

  /** Halves all frequencies. */
  void halve() {
    EntryList lowest = levels[0];
    levels[1].append(lowest);
    System.arraycopy(levels, 1, levels, 0, LEVELS - 1);
    levels[LEVELS - 1] = lowest;
  }

  /**
   * Returns the block with the lowest frequency among evictable ones; it stays in its list. If too
   * many blocks have outgrown their lists, it returns one of those.
   *
   * @param evictable has no side effect
   * @param period current period
   * @param looks limit of examined blocks
   * @param returns takes returning blocks, which are then in no list
   */
  int coldest(IntPredicate evictable, int period, int looks, LfuSegment.Returns returns) {
    int left = looks;
    int outgrown = NONE;
    for (int level = 0; level < LEVELS; level++) {
      EntryList list = levels[level];
      int passedOver = NONE;
      while (!list.isEmpty() && list.tail() != passedOver && left-- > 0) {
        int entry = list.tail();
        int right = level(Frequency.of(entries.policyWord(entry), period));
        boolean asked = right <= level || outgrown == NONE;
        if (asked && returns.mayReturn(entry)) {
          list.remove(entry);
          returns.take(entry);
        } else if (right > level) {
          list.remove(entry);
          levels[right].addFirst(entry);
          outgrown = outgrown == NONE && evictable.test(entry) ? entry : outgrown;
        } else if (evictable.test(entry)) {
          return entry;
        } else {
          list.moveToFirst(entry);
          passedOver = passedOver == NONE ? entry : passedOver;
        }
      }
    }
    return outgrown;
  }

  /** Checks all lists and returns the number of blocks. */
  int validate() {
    return Arrays.stream(levels).mapToInt(EntryList::validate).sum();
  }

  /** Returns the bytes of all blocks. */
  long bytes() {
    return Arrays.stream(levels).mapToLong(EntryList::bytes).sum();
  }

  /**
   * Returns the list of an entry. Only the head and the tail need their list; for any other entry,
   * any list works.
   */
  private EntryList listOf(int entry) {
    if (entries.policyPrevious(entry) == NONE || entries.policyNext(entry) == NONE) {
      for (EntryList level : levels) {
        if (level.head() == entry || level.tail() == entry) {
          return level;
        }
      }
    }
    return levels[0];
  }

  private static int level(int frequency) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(frequency);
  }
}
