package org.fastpath.metrics;

import java.util.Arrays;

/** What a histogram holds at one moment, to be filled and asked by one thread, and reused. */
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

  /** How many values the quantiles are of; those of earlier minutes count less. */
  long weight() {
    return weight;
  }

  long count() {
    return count;
  }

  long total() {
    return total;
  }

  /** Of all values since the start; 0 when there are none. */
  long mean() {
    return count == 0 ? 0 : Math.round((double) total / count);
  }

  /**
   * Of the recent past. The greatest value is forgotten after a minute or two, its bucket only when
   * its weight is gone: no quantile lies above what is shown here.
   */
  long max() {
    int bucket = buckets.count() - 1;
    while (bucket > 0 && weights[bucket] == 0) {
      bucket--;
    }
    return bucket > buckets.index(max) ? buckets.estimate(bucket) : max;
  }

  /**
   * The value that a share of the recent values does not exceed, within 1 %; 0 when there are none.
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
