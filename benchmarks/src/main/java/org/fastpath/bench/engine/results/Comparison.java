package org.fastpath.bench.engine.results;

import java.util.Arrays;
import org.apache.commons.math3.distribution.BinomialDistribution;

/**
 * The advantage of one variant over another as a ratio, with its spread.
 *
 * <p><b>Ratio.</b> Both variants run in every round, seconds apart. A shared machine drifts over
 * minutes, by its clock and its neighbours. So the ratio is taken inside each round. The figure is
 * the median of these paired ratios.
 *
 * <p><b>Spread.</b> The interval lies between two order statistics of the paired ratios. It is an
 * exact confidence interval for their median and assumes nothing about their distribution, because
 * it inverts the sign test. With n rounds, the interval from the k-th lowest to the k-th highest
 * ratio contains the median with probability 1 − 2·P(B ≤ k−1), B binomial(n, ½). The narrowest
 * interval of at least 95 % is used. With fewer than six rounds no interval reaches that. Then it
 * is the whole range: 75 % for three rounds, 93.75 % for five.
 *
 * @param ratio the candidate's advantage; below one it is worse
 * @param coverage the probability that the interval contains the median ratio; 0 for a single round
 */
public record Comparison(double ratio, double low, double high, int rounds, double coverage) {
  /** Compares two measurements of one unit. Rounds that only one of them has are ignored. */
  public static Comparison of(Measurement baseline, Measurement candidate) {
    if (!baseline.unit().equals(candidate.unit())) {
      throw new IllegalArgumentException(
          "cannot compare " + baseline.unit() + " with " + candidate.unit());
    }
    double[] base = baseline.perRound();
    double[] ours = candidate.perRound();
    boolean low = candidate.better() == Measurement.Better.LOWER;
    double[] ratios = new double[Math.min(base.length, ours.length)];
    Arrays.setAll(ratios, i -> low ? ratio(base[i], ours[i]) : ratio(ours[i], base[i]));
    return ofRatios(ratios);
  }

  /** Returns 1 if both are zero. */
  public static double ratio(double numerator, double denominator) {
    return numerator == denominator ? 1 : numerator / denominator;
  }

  static Comparison ofRatios(double[] ratios) {
    double[] sorted = ratios.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    int k = 1;
    while (2 * (k + 1) <= n && coverage(n, k + 1) >= 0.95) {
      k++;
    }
    return new Comparison(
        Measurement.median(sorted), sorted[k - 1], sorted[n - k], n, coverage(n, k));
  }

  /** Returns 1 − 2·P(B ≤ k−1) for B binomial(n, ½). */
  static double coverage(int n, int k) {
    double tail = new BinomialDistribution(null, n, 0.5).cumulativeProbability(k - 1);
    return Math.max(0, 1 - 2 * tail);
  }

  public boolean clearlyBetter() {
    return low > 1;
  }

  public boolean clearlyWorse() {
    return high < 1;
  }
}
