package org.fastpath.metrics;

/** A histogram as its source sees it at a snapshot. */
interface Distributed extends Histogram {
  /** Returns the buckets it counts in. */
  LogBuckets buckets();

  /** Adds its values to the distribution. */
  void addTo(Distribution distribution);

  /**
   * Takes half the weight from all values so far, {@code times} times. The source calls it once a
   * minute, never twice at a time.
   */
  void halve(int times);
}
