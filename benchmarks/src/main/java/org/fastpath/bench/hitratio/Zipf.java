package org.fastpath.bench.hitratio;

import java.util.Arrays;
import java.util.Random;

/**
 * Draws numbers from 0 whose probabilities fall as a power of their rank. By the table of sums and
 * a binary search: exact for any exponent, 1 and above too.
 */
final class Zipf {
  private final double[] sums;
  private final Random random;

  Zipf(int items, double exponent, Random random) {
    sums = new double[items];
    double sum = 0;
    for (int i = 0; i < items; i++) {
      sum += Math.pow(i + 1.0, -exponent);
      sums[i] = sum;
    }
    this.random = random;
  }

  int next() {
    double point = random.nextDouble() * sums[sums.length - 1];
    int found = Arrays.binarySearch(sums, point);
    return Math.min(sums.length - 1, found < 0 ? -found - 1 : found + 1);
  }
}
