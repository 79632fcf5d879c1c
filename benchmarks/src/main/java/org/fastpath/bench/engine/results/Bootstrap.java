package org.fastpath.bench.engine.results;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Computes the interval of a ratio between two variants that worked side by side, in rounds.
 *
 * <p>The slices of one round had the same conditions, so their ratio is that of the variants. The
 * figure is the Hodges-Lehmann estimator: the median of the geometric means of all pairs of rounds'
 * ratios. One bad round changes little. The variants' medians may be of different rounds, so their
 * ratio would depend on the machine's speed.
 *
 * <p>Neighbouring rounds may be similar, because the JIT, the heap and other processes change
 * within seconds. So rounds are drawn in runs: the circular block bootstrap (Politis and Romano,
 * 1992). A run has as many rounds as the cube root of all rounds. The interval contains the middle
 * 99 % of all draws, not 95 %: no row of a page with thirty should get a verdict by chance.
 */
final class Bootstrap {
  /** Fewer rounds do not tell how much they vary. */
  static final int LEAST_ROUNDS = 8;

  private static final int DRAWS = 4000;
  private static final double COVERAGE = 0.99;

  private Bootstrap() {}

  /** Compares two variants by the ratios of their rounds. The seed is that of the draws. */
  static Comparison compare(double[] ratios, long seed) {
    double[] drawn = new double[DRAWS];
    SplittableRandom random = new SplittableRandom(seed);
    int run = (int) Math.round(Math.cbrt(ratios.length));
    Arrays.setAll(drawn, any -> centre(draw(ratios, run, random)));
    Arrays.sort(drawn);
    int cut = (int) (DRAWS * (1 - COVERAGE) / 2);
    return new Comparison(
        centre(ratios), drawn[cut], drawn[DRAWS - 1 - cut], ratios.length, COVERAGE);
  }

  private static double[] draw(double[] ratios, int run, SplittableRandom random) {
    double[] drawn = new double[ratios.length];
    int from = 0;
    for (int i = 0; i < drawn.length; i++) {
      from = i % run == 0 ? random.nextInt(drawn.length) : from + 1;
      drawn[i] = ratios[from % drawn.length];
    }
    return drawn;
  }

  private static double centre(double[] ratios) {
    double[] means = new double[ratios.length * (ratios.length + 1) / 2];
    int pairs = 0;
    for (int i = 0; i < ratios.length; i++) {
      for (int j = 0; j <= i; j++) {
        double product = ratios[i] * ratios[j];
        // Zero times infinity is no number: each variant had the figure zero in one of the rounds.
        means[pairs++] = Double.isNaN(product) ? 1 : Math.sqrt(product);
      }
    }
    return Measurement.median(means);
  }
}
