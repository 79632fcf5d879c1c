package org.fastpath.metrics;

import java.util.Arrays;

/** Holds the values of a histogram at one moment. One thread fills and reads it, and reuses it. */
final class Distribution {
  private final long[] weights = new long[LogBuckets.WIDE.count()];
  private LogBuckets buckets = LogBuckets.WIDE;
  private long weight;
  private long count;
  private long total;
  private long max;

  /** Forgets everything; values come in these buckets from now on. */
  void clear(LogBuckets newBuckets) {
    buckets = newBuckets;
    Arrays.fill(weights, 0);
    weight = 0;
    count = 0;
    total = 0;
    max = 0;
  }

  void addWeight(int bucket, long more) {
    weights[bucket] += more;
    weight += more;
  }

  void addSums(long moreCount, long moreTotal, long otherMax) {
    count += moreCount;
    total += moreTotal;
    max = Math.max(max, otherMax);
  }

  /**
   * Returns the weight of the values behind the quantiles. Values of earlier minutes count less.
   */
  long weight() {
    return weight;
  }

  long count() {
    return count;
  }

  long total() {
    return total;
  }

  /** Returns the mean of all values since the start; 0 if there are none. */
  long mean() {
    return count == 0 ? 0 : Math.round((double) total / count);
  }

  /**
   * Returns the maximum of the recent past. The histogram forgets the maximum after one or two
   * minutes. The bucket stays until its weight is gone. No quantile exceeds the value returned
   * here.
   */
  long max() {
    int bucket = buckets.count() - 1;
    while (bucket > 0 && weights[bucket] == 0) {
      bucket--;
    }
    return bucket > buckets.index(max) ? buckets.estimate(bucket) : max;
  }

  /**
   * Returns the value that a share of the recent values does not exceed, within 1 %; 0 when there
   * are none.
   *
   * @param share from 0 to 1
   */
  long quantile(double share) {
    long rank = Math.max(1, (long) Math.ceil(share * weight));
    long seen = 0;
    for (int bucket = 0; bucket < buckets.count(); bucket++) {
      seen += weights[bucket];
      if (seen >= rank) {
        long estimate = buckets.estimate(bucket);
        return estimate <= max ? estimate : Math.min(estimate, max());
      }
    }
    return 0;
  }
}
