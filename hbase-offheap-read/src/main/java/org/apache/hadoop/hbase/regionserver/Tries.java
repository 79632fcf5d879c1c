package org.apache.hadoop.hbase.regionserver;

/**
 * Decides whether a faster way is tried for a request that may have to take HBase's way after all.
 * If tries fail often, they cost more than they save. So after failures only one of {@value
 * #RARELY} requests is tried, until tries succeed again.
 *
 * <p>Thread-safe, but counts are not exact.
 */
final class Tries {
  static final int RARELY = 64;
  private static final int BEST = 64;

  private final int costOfFailure;
  private int score = BEST;
  private int skipped;

  /**
   * Makes it ready to try.
   *
   * @param costOfFailure the number of successes that outweigh one failure
   */
  Tries(int costOfFailure) {
    this.costOfFailure = costOfFailure;
  }

  /** Returns whether tries succeed often enough to pay. */
  boolean pay() {
    return score > 0;
  }

  /** Returns whether to try the next request; a request that is not tried counts. */
  boolean isDue() {
    return pay() || ++skipped % RARELY == 0;
  }

  void ended(boolean success) {
    int now = score;
    if (!success) {
      score = Math.max(-BEST, now - costOfFailure);
    } else if (now < BEST) {
      score = now + 1;
    }
  }
}
