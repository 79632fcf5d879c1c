package org.fastpath.bench.engine;

import org.fastpath.bench.engine.results.Comparison;

/** The verdict on a candidate. The interval of ratios decides, not the median. */
public enum Verdict {
  /** The whole interval is above 1. */
  BETTER("better"),
  /** The interval contains 1 or is negligibly far from it. */
  NO_DIFFERENCE("no difference found"),
  /** The whole interval is below 1. */
  WORSE("worse");

  /** A smaller difference counts as none. */
  private static final double UNNOTICED = 0.01;

  private final String words;

  Verdict(String words) {
    this.words = words;
  }

  /** Judges an interval of the candidate's ratio, in which more than 1 is better. */
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
