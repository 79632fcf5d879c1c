package org.fastpath.offheap.policy;

import org.fastpath.offheap.index.BlockEntries;

/**
 * How often a block was read of late: reads in sixteenths, halved in each period that passes. It is
 * kept in {@link BlockEntries#policyWord}:
 *
 * <pre>
 *  bits 31..16 : the period in which it was written, modulo 65536
 *  bit  15     : the block was read since the policy looked last
 *  bits 14..0  : the frequency, in sixteenths
 * </pre>
 *
 * <p>Nothing is halved until somebody looks: the age of the word says how often it should have
 * been. A frequency has a highest value, so the word of a block that is read very often is not
 * written any more until the next period.
 */
final class Frequency {
  /** One read. */
  static final int ONE = 16;

  /** The highest; a block that was read oftener is not remembered longer. */
  static final int HIGHEST = 60 * ONE;

  private static final int PERIOD_SHIFT = 16;
  private static final int PERIOD_MASK = 0xFFFF;
  private static final int READ = 1 << 15;
  private static final int FREQUENCY_MASK = READ - 1;

  private Frequency() {}

  /** The word of a block that has this frequency now, and was not read. */
  static int word(int frequency, int period) {
    return period << PERIOD_SHIFT | frequency;
  }

  /** The word after one more read; the same word if there is nothing to write. */
  static int read(int word, int period) {
    int more = Math.min(of(word, period) + ONE, HIGHEST);
    return period << PERIOD_SHIFT | READ | more;
  }

  /** The frequency by now. */
  static int of(int word, int period) {
    return aged(word & FREQUENCY_MASK, period - (word >>> PERIOD_SHIFT) & PERIOD_MASK);
  }

  static boolean wasRead(int word) {
    return (word & READ) != 0;
  }

  static int aged(int frequency, int periods) {
    return periods > 31 ? 0 : frequency >> periods;
  }
}
