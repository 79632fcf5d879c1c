package org.fastpath.metrics;

/**
 * How values are distributed: number, total, mean, greatest, and quantiles within 1 % (see {@link
 * LogBuckets}; of a pseudo-source between 2 µs and 69 s, see {@link CompactHistogram}). Any thread
 * may record at any time: no lock, no look-up, no allocation, no clock.
 *
 * <p>Number and total are of all values since the start, so that rates can be computed from them.
 * Greatest and quantiles are of the recent past: every minute, what was recorded until then loses
 * half its weight, whoever looks and however often.
 */
public interface Histogram {
  /** Records a value; less than zero counts as zero. */
  default void record(long value) {
    record(value, 1);
  }

  /** Records a value that occurred {@code times} times. */
  void record(long value, int times);

  /** How many values were recorded so far. */
  long count();

  /** The sum of the values recorded so far. */
  long total();
}
