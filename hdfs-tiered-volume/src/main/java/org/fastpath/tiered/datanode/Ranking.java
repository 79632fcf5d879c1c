package org.fastpath.tiered.datanode;

import java.util.Arrays;

/**
 * What each of some volumes gets, as one look at them found it. Immutable, so that a choice sees
 * all of it or nothing.
 *
 * @param weights how likely each is drawn; 0 for one that is left out
 * @param total the sum of the weights
 * @param slowness the cost of each in those of its peers
 * @param informed whether anything was measured
 * @param complete whether none is left out
 * @param progress how far each was with its share
 */
record Ranking(
    double[] weights,
    double total,
    double[] slowness,
    boolean informed,
    boolean complete,
    Progress progress) {
  private static final int NONE = -1;

  /** Equal shares. */
  static Ranking equal(VolumeLoad... loads) {
    double[] ones = new double[loads.length];
    Arrays.fill(ones, 1);
    return new Ranking(ones, loads.length, ones, false, true, Progress.start(loads));
  }

  /** Whether a volume is less far with its share than another one; both take part. */
  boolean isBehind(VolumeGroup group, int index, int other) {
    return progress.of(index, group.load(index), weights[index])
        < progress.of(other, group.load(other), weights[other]);
  }

  /** One at random, each as likely as its weight says. */
  int draw(double random) {
    return at(random * total, NONE);
  }

  /** Another one; the same if there is no other. */
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
