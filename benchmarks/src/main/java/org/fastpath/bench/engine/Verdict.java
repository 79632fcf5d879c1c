package org.fastpath.bench.engine;

import org.fastpath.bench.engine.results.Comparison;

/** What an interval of ratios says of a candidate; the interval decides, not the median. */
public enum Verdict {
  /** All of the interval lies above 1. */
  BETTER("better"),
  /** The interval holds 1, or comes so near that nobody would notice. */
  NO_DIFFERENCE("no difference found"),
  /** All of it lies below. */
  WORSE("worse");

  /** A difference of less than a hundredth is none. */
  private static final double UNNOTICED = 0.01;

  private final String words;

  Verdict(String words) {
    this.words = words;
  }

  /** Judges an interval of how many times better the candidate is. */
  public static Verdict of(Comparison interval) {
    if (interval.low() > 1 + UNNOTICED) {
      return BETTER;
    }
    return interval.high() < 1 - UNNOTICED ? WORSE : NO_DIFFERENCE;
  }

  @Override
  public String toString() {
    return words;
  }
}
