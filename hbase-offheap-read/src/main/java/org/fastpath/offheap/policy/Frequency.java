package org.fastpath.offheap.policy;

import org.fastpath.offheap.index.BlockEntries;

/**
 * The recent read frequency of a block: reads in sixteenths, halved in each period. It is stored in
 * {@link BlockEntries#policyWord}:
 *
 * <pre>
 *  bits 31..16 : the period in which it was written, modulo 65536
 *  bit  15     : the block was read since the policy's last check
 *  bits 14..0  : the frequency, in sixteenths
 * </pre>
 *
 * <p>Halving is lazy: the age of the word gives the number of halvings. A frequency has a maximum,
 * so the word of a very hot block is written only once per period.
 */
final class Frequency {
  /** One read. */
  static final int ONE = 16;

  /** The maximum. More reads do not increase it. */
  static final int MAX = 60 * ONE;

  private static final int PERIOD_SHIFT = 16;
  private static final int PERIOD_MASK = 0xFFFF;
  private static final int READ = 1 << 15;
  private static final int FREQUENCY_MASK = READ - 1;

  private Frequency() {}

  /** Returns the word of a block with this frequency that was not read. */
  static int word(int frequency, int period) {
    return period << PERIOD_SHIFT | frequency;
  }

  /** Returns the word after one more read; the same word if nothing changes. */
  static int read(int word, int period) {
    int more = Math.min(of(word, period) + ONE, MAX);
    return period << PERIOD_SHIFT | READ | more;
  }

  /** Returns the current frequency. */
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
