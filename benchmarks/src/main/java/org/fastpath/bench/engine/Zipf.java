package org.fastpath.bench.engine;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.commons.lang3.ArrayUtils;

/**
 * Chooses items by Zipf's law: the k-th favourite has a probability in proportion to 1 /
 * k<sup>exponent</sup>. Exact for any exponent from 0 on, and the same items for the same seed;
 * YCSB's generators are neither. Immutable.
 */
public final class Zipf {
  private static final long SEED = 1949;
  private final double[] sums;
  private final int[] items;

  private Zipf(double[] sums, int[] items) {
    this.sums = sums;
    this.items = items;
  }

  /** Creates favourites in the order of the items; the first is the most frequent. */
  public static Zipf ranks(int count, double exponent) {
    double[] sums = new double[count];
    double sum = 0;
    for (int rank = 0; rank < count; rank++) {
      sum += Math.pow(rank + 1, -exponent);
      sums[rank] = sum;
    }
    return new Zipf(sums, IntStream.range(0, count).toArray());
  }

  /** Scatters favourites among the items, as in YCSB, at the same places for the same count. */
  public static Zipf scattered(int count, double exponent) {
    return new Zipf(ranks(count, exponent).sums, shuffled(count, new Random(SEED)));
  }

  /** Returns the numbers below a count in random order. */
  public static int[] shuffled(int count, Random random) {
    int[] items = IntStream.range(0, count).toArray();
    ArrayUtils.shuffle(items, random);
    return items;
  }

  public int item(double point) {
    int found = Arrays.binarySearch(sums, point * sums[sums.length - 1]);
    return items[Math.min(items.length - 1, found < 0 ? -found - 1 : found + 1)];
  }
}
