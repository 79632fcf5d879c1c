package org.fastpath.bench.engine.results;

import java.util.Arrays;

/**
 * How many times better one side is than another, with its spread.
 *
 * <p><b>Which ratio.</b> Both sides run in every round, seconds apart, and a shared machine drifts
 * over minutes: its clock, its neighbours. So the ratio is taken inside each round, where both
 * sides saw the same machine, and the figure is the median of these paired ratios. A ratio of the
 * two medians would compare, say, the quiet third round of one side with the noisy first of the
 * other.
 *
 * <p><b>Which spread.</b> An interval between two order statistics of the paired ratios. It is an
 * exact confidence interval for their median and supposes nothing about their distribution (it
 * inverts the sign test): with n rounds, from the k-th lowest to the k-th highest ratio it holds
 * the median with probability 1 − 2·P(B ≤ k−1), B binomial(n, ½). The narrowest interval of at
 * least 95 % is used; below six rounds none reaches that, so it is the whole range from lowest to
 * highest: 75 % for three rounds, 93.75 % for five. A bootstrap of three or five values would
 * pretend to more: it can only repeat those values, and its nominal 95 % covers far less.
 *
 * @param ratio how many times better the candidate is; below one it is worse
 * @param low lower end of the interval
 * @param high upper end of the interval
 * @param rounds how many rounds it rests on
 * @param coverage the probability with which the interval holds the median ratio; 0 for a single
 *     round
 */
public record Comparison(double ratio, double low, double high, int rounds, double coverage) {
  private static final double WANTED_COVERAGE = 0.95;

  /** Compares two measurements of one unit; rounds that only one of them has are left out. */
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

  /** Two nothings are equal, not undefined. */
  private static double ratio(double numerator, double denominator) {
    return numerator == denominator ? 1 : numerator / denominator;
  }

  /** The comparison that these paired ratios make. */
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

  /** 1 − 2·P(B ≤ k−1) for B binomial(n, ½). */
  static double coverage(int n, int k) {
    double term = Math.pow(0.5, n);
    double tail = 0;
    for (int i = 0; i < k; i++) {
      tail += term;
      term = term * (n - i) / (i + 1);
    }
    return Math.max(0, 1 - 2 * tail);
  }

  /** Better even at the lower end of the interval. */
  public boolean clearlyBetter() {
    return low > 1;
  }

  /** Worse even at the upper end of the interval. */
  public boolean clearlyWorse() {
    return high < 1;
  }
}
