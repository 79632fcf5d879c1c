package org.fastpath.bench.engine.results;

import java.util.Arrays;
import org.apache.commons.math3.distribution.BinomialDistribution;

/**
 * The advantage of one variant over another as a ratio, with its spread.
 *
 * <p><b>Ratio.</b> Both variants run in every round, seconds apart. A shared machine drifts over
 * minutes, by its clock and its neighbours. So the ratio is taken inside each round, where both
 * variants had the same conditions. The figure is the median of these paired ratios. A ratio of the
 * two medians could compare a quiet round of one variant with a noisy round of the other.
 *
 * <p><b>Spread.</b> The interval lies between two order statistics of the paired ratios. It is an
 * exact confidence interval for their median and assumes nothing about their distribution, because
 * it inverts the sign test. With n rounds, the interval from the k-th lowest to the k-th highest
 * ratio contains the median with probability 1 − 2·P(B ≤ k−1), B binomial(n, ½). The narrowest
 * interval of at least 95 % is used. With fewer than six rounds no interval reaches that. Then it
 * is the whole range: 75 % for three rounds, 93.75 % for five. A bootstrap of three or five values
 * would promise more than it has. It only repeats those values, and its nominal 95 % covers far
 * less.
 *
 * @param ratio the candidate's advantage; below one it is worse
 * @param low lower end of the interval
 * @param high upper end of the interval
 * @param rounds number of rounds
 * @param coverage the probability that the interval contains the median ratio; 0 for a single round
 */
public record Comparison(double ratio, double low, double high, int rounds, double coverage) {
  private static final double WANTED_COVERAGE = 0.95;

  /** Compares two measurements of one unit. Rounds that only one of them has are ignored. */
  public static Comparison of(Measurement baseline, Measurement candidate) {
    if (!baseline.unit().equals(candidate.unit())) {
      throw new IllegalArgumentException(
          "cannot compare " + baseline.unit() + " with " + candidate.unit());
    }
    double[] base = baseline.perRound();
    double[] ours = candidate.perRound();
    double[] ratios = new double[Math.min(base.length, ours.length)];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] =
          candidate.better() == Measurement.Better.LOWER
              ? ratio(base[i], ours[i])
              : ratio(ours[i], base[i]);
    }
    return ofRatios(ratios);
  }

  /** Returns 1 if both are zero. */
  private static double ratio(double numerator, double denominator) {
    return numerator == denominator ? 1 : numerator / denominator;
  }

  /** Returns the comparison of these paired ratios. */
  static Comparison ofRatios(double[] ratios) {
    double[] sorted = ratios.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    int k = 1;
    while (2 * (k + 1) <= n && coverage(n, k + 1) >= WANTED_COVERAGE) {
      k++;
    }
    return new Comparison(
        Statistics.median(sorted), sorted[k - 1], sorted[n - k], n, coverage(n, k));
  }

  /** Returns 1 − 2·P(B ≤ k−1) for B binomial(n, ½). */
  static double coverage(int n, int k) {
    double tail = new BinomialDistribution(null, n, 0.5).cumulativeProbability(k - 1);
    return Math.max(0, 1 - 2 * tail);
  }

  /** Returns whether even the lower end of the interval is better. */
  public boolean clearlyBetter() {
    return low > 1;
  }

  /** Returns whether even the upper end of the interval is worse. */
  public boolean clearlyWorse() {
    return high < 1;
  }
}
