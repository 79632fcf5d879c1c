package org.fastpath.offheap.policy;

import static org.fastpath.offheap.index.BlockEntries.NONE;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.fastpath.offheap.index.BlockEntries;

/**
 * Blocks in order of frequency, nearly: one list for each power of two. A hit moves nothing; a
 * block is put into its right list when it is next looked at, as the tail of the list that it has
 * outgrown. When a period ends all frequencies are halved, so each list becomes the next lower one:
 * nothing is touched but the two lowest, which are joined.
 *
 * <p>For use under the cache's lock.
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

  /** Frequencies are half of what they were. */
  void halve() {
    EntryList lowest = levels[0];
    levels[1].append(lowest);
    System.arraycopy(levels, 1, levels, 0, LEVELS - 1);
    levels[LEVELS - 1] = lowest;
  }

  /**
   * The block of the lowest frequency among those that may leave; it stays in its list. If more
   * have outgrown their lists than may be looked at, one of those.
   *
   * @param evictable changes nothing
   * @param period the period to whose end frequencies are
   * @param looks at how many blocks to look at most
   * @param returns takes blocks that are met and return; they are in no list then
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

  /** How many blocks there are, all lists being right. */
  int validate() {
    return Arrays.stream(levels).mapToInt(EntryList::validate).sum();
  }

  /** Bytes of all blocks. */
  long bytes() {
    return Arrays.stream(levels).mapToLong(EntryList::bytes).sum();
  }

  /**
   * The list of an entry. Only the head and the tail of a list need to be known as such: for any
   * other entry each list will do.
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
