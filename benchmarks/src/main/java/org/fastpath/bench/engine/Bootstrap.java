package org.fastpath.bench.engine;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.fastpath.bench.engine.results.Comparison;
import org.fastpath.bench.engine.results.Measurement;
import org.fastpath.bench.engine.results.Measurement.Better;

/**
 * Computes the interval of a ratio between two variants that worked in slices, side by side, and
 * the verdict that follows.
 *
 * <p>The slices of one group had the same conditions, so groups are drawn, not slices. Neighbouring
 * groups are similar, because the JIT, the heap and other processes change within seconds. So
 * groups are drawn in runs: the circular block bootstrap (Politis and Romano, 1992). A run has as
 * many groups as the cube root of all groups. The figure is the ratio of the variants' medians. The
 * interval contains the middle 99 % of all draws, not 95 %. A page has about twenty rows, and not
 * one should get a verdict by chance. With fewer than eight groups, the interval has no ends.
 */
public final class Bootstrap {
  private static final int FEWEST = 8;
  private static final int DRAWS = 4000;
  private static final double COVERAGE = 0.99;
  private static final double UNNOTICED = 0.01;

  private Bootstrap() {}

  /** Compares a base with a candidate: their slices, by group. The seed is that of the draws. */
  public static Comparison ratio(double[] base, double[] ours, Better better, long seed) {
    int groups = Math.min(base.length, ours.length);
    double[] own = better == Better.HIGHER ? ours : base;
    double[] other = better == Better.HIGHER ? base : ours;
    double ratio = ratio(Arrays.copyOf(own, groups), Arrays.copyOf(other, groups));
    if (groups < FEWEST) {
      return new Comparison(ratio, 0, Double.POSITIVE_INFINITY, groups, 0);
    }
    double[] drawn = new double[DRAWS];
    SplittableRandom random = new SplittableRandom(seed);
    int run = (int) Math.round(Math.cbrt(groups));
    Arrays.setAll(drawn, any -> draw(own, other, groups, run, random));
    Arrays.sort(drawn);
    int cut = (int) (DRAWS * (1 - COVERAGE) / 2);
    return new Comparison(ratio, drawn[cut], drawn[DRAWS - 1 - cut], groups, COVERAGE);
  }

  private static double draw(
      double[] own, double[] other, int groups, int run, SplittableRandom random) {
    double[] a = new double[groups];
    double[] b = new double[groups];
    for (int i = 0; i < groups; ) {
      int from = random.nextInt(groups);
      for (int j = 0; j < run && i < groups; j++, i++) {
        a[i] = own[(from + j) % groups];
        b[i] = other[(from + j) % groups];
      }
    }
    return ratio(a, b);
  }

  /**
   * Returns the verdict on a candidate. The interval of ratios decides, not the median. An interval
   * that is less than a hundredth from 1 is no difference.
   */
  public static String verdict(Comparison interval) {
    if (interval.low() > 1 + UNNOTICED) {
      return "better";
    }
    return interval.high() < 1 - UNNOTICED ? "worse" : "no difference found";
  }

  private static double ratio(double[] a, double[] b) {
    return Comparison.ratio(Measurement.median(a), Measurement.median(b));
  }
}
