package org.fastpath.offheap.cache;

/**
 * Which {@link Tuning} suits the workload: two small parts of the cache, chosen by the hash of the
 * blocks, always have one tuning each, and the rest has that of the part that misses less (set
 * dueling [4]). Both are measured on real reads at the same time, so that a workload that changes
 * does not look like a tuning that is better, and only misses need counting.
 *
 * <p>The parts differ by chance, by some percent of their misses. So the rest leaves {@link
 * Tuning#STEADY} only for a clear advantage, and comes back when that has gone.
 */
final class TuningDuel {
  private static final double CLEARLY_FEWER = 0.88;
  private static final double NO_LONGER_FEWER = 0.94;

  /** Misses of each side that are evidence enough. */
  private static final int LEAST_MISSES = 200;

  private double steadyMisses;
  private double recentMisses;
  private Tuning winner = Tuning.STEADY;

  Tuning winner() {
    return winner;
  }

  void missed(Tuning leader) {
    if (leader == Tuning.STEADY) {
      steadyMisses++;
    } else {
      recentMisses++;
    }
  }

  /** Draws the conclusion; what was counted before weighs half from now on. */
  void decide() {
    if (steadyMisses + recentMisses < 2 * LEAST_MISSES) {
      return;
    }
    double ratio = recentMisses / Math.max(1, steadyMisses);
    if (ratio < CLEARLY_FEWER) {
      winner = Tuning.RECENT;
    } else if (ratio > NO_LONGER_FEWER) {
      winner = Tuning.STEADY;
    }
    steadyMisses /= 2;
    recentMisses /= 2;
  }
}
