package org.fastpath.offheap.policy;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Which {@link Tuning} suits the workload: the one that misses least in a {@link
 * MiniatureSimulation}. All have seen the same reads at the same time, so that neither chance in
 * what was sampled nor a workload that changes looks like a tuning that is better.
 *
 * <p>A change costs hits, because what the other tuning would have kept is not there yet, and a
 * tuning that forgets loses what the cache has learned. So it takes enough misses and a clear lead
 * to leave a steadier tuning, but none to come back to it.
 *
 * <p>For use under the cache's lock.
 */
final class TuningContest {
  /** Misses of a tuning that leads clearly, as a part of a steadier winner's. */
  private static final double CLEAR_LEAD = 0.95;

  /** Misses of the winner that are evidence enough. */
  private static final int LEAST_MISSES = 2_000;

  /** What earlier misses weigh after a verdict. */
  private static final double WEIGHT_OF_EARLIER = 0.75;

  private final double[] misses = new double[Tuning.values().length];
  private Tuning winner = Tuning.STEADY;

  Tuning winner() {
    return winner;
  }

  void missed(Tuning tuning) {
    misses[tuning.ordinal()]++;
  }

  /** Draws the conclusion from what was counted so far. */
  void decide() {
    if (misses[winner.ordinal()] >= LEAST_MISSES) {
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

  /** What was counted says nothing about what will be. */
  void restart() {
    weigh(0);
  }

  private void weigh(double weight) {
    for (int i = 0; i < misses.length; i++) {
      misses[i] *= weight;
    }
  }
}
