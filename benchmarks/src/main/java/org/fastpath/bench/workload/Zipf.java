package org.fastpath.bench.workload;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Items of which few are wanted often and most hardly ever: the k-th favourite with a probability
 * in proportion to 1 / k<sup>exponent</sup>. Favourites lie anywhere among the items, as in YCSB,
 * and at the same places whenever the number of items is the same. Immutable.
 */
public final class Zipf {
  private static final long SEED = 1949;

  private final double[] cumulative;
  private final int[] items;

  /** So many items, whose favourites are the more wanted the larger the exponent is. */
  public Zipf(int count, double exponent) {
    cumulative = new double[count];
    double sum = 0;
    for (int rank = 0; rank < count; rank++) {
      sum += Math.pow(rank + 1, -exponent);
      cumulative[rank] = sum;
    }
    items = shuffled(count);
  }

  private static int[] shuffled(int count) {
    int[] items = new int[count];
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < count; i++) {
      int j = random.nextInt(i + 1);
      items[i] = items[j];
      items[j] = i;
    }
    return items;
  }

  /** The next item, from 0. */
  public int next(SplittableRandom random) {
    double point = random.nextDouble(cumulative[cumulative.length - 1]);
    int found = Arrays.binarySearch(cumulative, point);
    return item(found >= 0 ? found + 1 : -found - 1);
  }

  /** The item of this rank; the favourite's is 0. */
  int item(int rank) {
    return items[rank];
  }
}
