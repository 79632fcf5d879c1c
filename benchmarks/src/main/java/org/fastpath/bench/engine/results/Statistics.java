package org.fastpath.bench.engine.results;

import java.util.Arrays;

/** Computes order statistics of small samples. */
public final class Statistics {
  private Statistics() {}

  /** Returns the middle value, or the mean of the two middle values. */
  public static double median(double[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("no values");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
