package org.fastpath.offheap.policy;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Selects the {@link Tuning} with the fewest misses in a {@link MiniatureSimulation}. All tunings
 * see the same reads at the same time. So neither the sample nor a changing workload favours one of
 * them.
 *
 * <p>A change costs hits, because the blocks that the new tuning would keep are not cached yet. So
 * leaving a steadier tuning needs enough misses and a clear lead; returning to it needs none.
 *
 * <p>Guarded by the cache's lock.
 */
final class TuningContest {
  /** The share of a steadier winner's misses that is a clear lead. */
  private static final double CLEAR_LEAD = 0.95;

  /** The minimum number of the winner's misses. */
  private static final int MIN_MISSES = 2_000;

  /** The weight of earlier misses after a decision. */
  private static final double WEIGHT_OF_EARLIER = 0.75;

  private final double[] misses = new double[Tuning.values().length];
  private Tuning winner = Tuning.STEADY;

  Tuning winner() {
    return winner;
  }

  void missed(Tuning tuning) {
    misses[tuning.ordinal()]++;
  }

  /** Decides by the counts so far. */
  void decide() {
    if (misses[winner.ordinal()] >= MIN_MISSES) {
      winner =
          Arrays.stream(Tuning.values())
              .min(Comparator.comparingDouble(this::handicapped))
              .orElseThrow();
      weigh(WEIGHT_OF_EARLIER);
    }
  }

  private double handicapped(Tuning tuning) {
    double counted = misses[tuning.ordinal()];
    return tuning.compareTo(winner) > 0 ? counted / CLEAR_LEAD : counted;
  }

  /** Resets the counts. */
  void restart() {
    weigh(0);
  }

  private void weigh(double weight) {
    for (int i = 0; i < misses.length; i++) {
      misses[i] *= weight;
    }
  }
}
