package org.fastpath.metrics;

/**
 * Records a distribution of values: number, total, mean, maximum, and quantiles within 1 % (see
 * {@link LogBuckets}). A pseudo-source covers 2 µs to 69 s, see {@link CompactHistogram}. Any
 * thread may record at any time: no lock, no look-up, no allocation, no clock.
 *
 * <p>Number and total count all values since the start, so rates can be computed from them. Maximum
 * and quantiles describe the recent past: every minute, all earlier values lose half their weight.
 * The number of readers makes no difference.
 */
public interface Histogram {
  /** Records a value; less than zero counts as zero. */
  default void record(long value) {
    record(value, 1);
  }

  /** Records a value that occurred {@code times} times. */
  void record(long value, int times);

  /** Returns how many values were recorded so far. */
  long count();

  /** Returns the sum of the values recorded so far. */
  long total();
}
