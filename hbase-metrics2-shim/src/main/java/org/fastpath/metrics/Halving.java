package org.fastpath.metrics;

import java.util.concurrent.ThreadLocalRandom;

/** Computes the weight that a bucket loses when it is halved. */
final class Halving {
  private Halving() {}

  /**
   * Returns the loss of a weight. An odd weight is rounded up or down at random. Rounding down
   * would empty the buckets of the tail, which hold one value each, and so move the high quantiles.
   */
  static int loss(int weight, int times) {
    int left = weight;
    for (int i = 0; i < times && left != 0; i++) {
      int odd = left & 1;
      left = (left >>> 1) + (odd & ThreadLocalRandom.current().nextInt());
    }
    return weight - left;
  }
}
