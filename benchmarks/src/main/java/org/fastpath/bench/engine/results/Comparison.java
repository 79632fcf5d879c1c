package org.fastpath.bench.engine.results;

import java.util.Arrays;
import org.fastpath.bench.engine.results.Measurement.Better;

/**
 * The advantage of one variant over another as a ratio, with its interval and the verdict.
 *
 * <p>Both variants run in every round, seconds apart. A shared machine drifts over minutes, by its
 * clock and its neighbours. So the ratio is computed from the rounds' ratios.
 *
 * <p>With eight rounds or more, {@link Bootstrap} gives ratio and interval. With fewer, the ratio
 * is the median of the rounds' ratios, and the interval is their whole range. By the sign test, n
 * rounds contain the true median with probability 1 − 2·½ⁿ: 75 % for three, 93.75 % for five.
 *
 * @param ratio the candidate's advantage; below one it is worse
 * @param coverage the probability that the interval contains the true ratio; 0 for a single round
 */
public record Comparison(double ratio, double low, double high, int rounds, double coverage) {
  /** An interval that is nearer to 1 than this is no difference. */
  private static final double UNNOTICED = 0.01;

  /** The lowest coverage of an interval that has a verdict; five rounds have more. */
  private static final double LEAST_COVERAGE = 0.9;

  private static final long SEED = 1;

  /**
   * Compares two measurements of one unit. Rounds that only one of them has are ignored. A single
   * event has a wider interval, because repetitions differ.
   */
  public static Comparison of(Measurement baseline, Measurement candidate) {
    if (!baseline.unit().equals(candidate.unit())) {
      throw new IllegalArgumentException(
          "cannot compare " + baseline.unit() + " with " + candidate.unit());
    }
    Comparison ratio = of(baseline.perRound(), candidate.perRound(), candidate.better());
    double margin = Math.max(baseline.margin(), candidate.margin());
    double coverage = baseline.counted() && candidate.counted() ? 1 : ratio.coverage;
    return new Comparison(
        ratio.ratio, ratio.low / margin, ratio.high * margin, ratio.rounds, coverage);
  }

  /** Compares the values of two variants by round. */
  public static Comparison of(double[] baseline, double[] candidate, Better better) {
    int rounds = Math.min(baseline.length, candidate.length);
    boolean low = better == Better.LOWER;
    double[] above = low ? baseline : candidate;
    double[] below = low ? candidate : baseline;
    double[] ratios = new double[rounds];
    Arrays.setAll(ratios, i -> ratio(above[i], below[i]));
    if (rounds >= Bootstrap.LEAST_ROUNDS) {
      return Bootstrap.compare(ratios, SEED);
    }
    Arrays.sort(ratios);
    return new Comparison(
        Measurement.median(ratios),
        ratios[0],
        ratios[rounds - 1],
        rounds,
        1 - Math.pow(0.5, rounds - 1));
  }

  /** Returns 1 if both are zero. */
  public static double ratio(double numerator, double denominator) {
    return numerator == denominator ? 1 : numerator / denominator;
  }

  /** Returns "better", "worse" or "no difference found". The interval decides, not the ratio. */
  public String verdict() {
    if (coverage < LEAST_COVERAGE || low <= 1 + UNNOTICED && high >= 1 - UNNOTICED) {
      return "no difference found";
    }
    return low > 1 ? "better" : "worse";
  }
}
