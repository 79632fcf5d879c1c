package org.fastpath.bench.engine.results;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Computes the interval of a ratio between two variants that worked side by side, in rounds.
 *
 * <p>The slices of one round had the same conditions, so rounds are drawn, not slices. Neighbouring
 * rounds are similar, because the JIT, the heap and other processes change within seconds. So
 * rounds are drawn in runs: the circular block bootstrap (Politis and Romano, 1992). A run has as
 * many rounds as the cube root of all rounds. The figure is the ratio of the variants' medians. The
 * interval contains the middle 99 % of all draws, not 95 %. A page has about thirty rows, and not
 * one should get a verdict by chance.
 */
final class Bootstrap {
  /** Fewer rounds do not tell how much they vary. */
  static final int LEAST_ROUNDS = 8;

  private static final int DRAWS = 4000;
  private static final double COVERAGE = 0.99;

  private Bootstrap() {}

  /** Compares equally many values of two variants. The seed is that of the draws. */
  static Comparison compare(double[] above, double[] below, long seed) {
    double[] drawn = new double[DRAWS];
    SplittableRandom random = new SplittableRandom(seed);
    int run = (int) Math.round(Math.cbrt(above.length));
    Arrays.setAll(drawn, any -> draw(above, below, run, random));
    Arrays.sort(drawn);
    int cut = (int) (DRAWS * (1 - COVERAGE) / 2);
    return new Comparison(
        ratio(above, below), drawn[cut], drawn[DRAWS - 1 - cut], above.length, COVERAGE);
  }

  private static double draw(double[] above, double[] below, int run, SplittableRandom random) {
    int rounds = above.length;
    double[] a = new double[rounds];
    double[] b = new double[rounds];
    for (int i = 0; i < rounds; ) {
      int from = random.nextInt(rounds);
      for (int j = 0; j < run && i < rounds; j++, i++) {
        a[i] = above[(from + j) % rounds];
        b[i] = below[(from + j) % rounds];
      }
    }
    return ratio(a, b);
  }

  private static double ratio(double[] above, double[] below) {
    return Comparison.ratio(Measurement.median(above), Measurement.median(below));
  }
}
