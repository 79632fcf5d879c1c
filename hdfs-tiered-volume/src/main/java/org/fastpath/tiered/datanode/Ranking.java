package org.fastpath.tiered.datanode;

import java.util.Arrays;

/**
 * The shares of some volumes, computed at one time. Immutable, so a choice sees a consistent state.
 *
 * @param weights probability weights; 0 for an excluded volume
 * @param total the sum of the weights
 * @param slowness the cost of each divided by that of its peers
 * @param informed whether anything was measured
 * @param complete whether no volume is excluded
 * @param progress of each volume with its share
 */
record Ranking(
    double[] weights,
    double total,
    double[] slowness,
    boolean informed,
    boolean complete,
    Progress progress) {
  private static final int NONE = -1;

  /** Returns equal shares. */
  static Ranking equal(VolumeLoad... loads) {
    double[] ones = new double[loads.length];
    Arrays.fill(ones, 1);
    return new Ranking(ones, loads.length, ones, false, true, Progress.start(loads));
  }

  /** Returns whether a volume is behind another one with its share. Both must participate. */
  boolean isBehind(VolumeGroup group, int index, int other) {
    return progress.of(index, group.load(index), weights[index])
        < progress.of(other, group.load(other), weights[other]);
  }

  /** Draws a volume at random, by the weights. */
  int draw(double random) {
    return at(random * total, NONE);
  }

  /** Draws another volume; the same one if there is no other. */
  int drawOther(double random, int first) {
    double rest = total - weights[first];
    int other = rest > 0 ? at(random * rest, first) : NONE;
    return other == NONE ? first : other;
  }

  private int at(double point, int left) {
    double before = 0;
    int last = NONE;
    for (int i = 0; i < weights.length; i++) {
      if (i != left && weights[i] > 0) {
        before += weights[i];
        last = i;
        if (point < before) {
          return i;
        }
      }
    }
    return last;
  }
}
