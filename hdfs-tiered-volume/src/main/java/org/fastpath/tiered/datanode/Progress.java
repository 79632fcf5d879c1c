package org.fastpath.tiered.datanode;

import java.util.Arrays;

/**
 * The progress of volumes with their shares of the bytes, at one ranking. It is the virtual time of
 * weighted fair queueing [1]: bytes divided by weight. Only differences matter. Immutable.
 *
 * <p>A ranking counts bytes that were recently written or reserved, since a replica's length is
 * unknown when its volume is chosen. The unused rest of a log's block does not advance its volume.
 * Between two rankings, the requested bytes count. They are known at once, so concurrent choices do
 * not all prefer the same volume.
 *
 * <ol>
 *   <li>A. Demers, S. Keshav, S. Shenker: Analysis and Simulation of a Fair Queueing Algorithm,
 *       SIGCOMM 1989
 * </ol>
 */
final class Progress {
  /**
   * The leads of participating volumes. They are not positive: the volume that is farthest ahead
   * has 0.
   */
  private final double[] leads;

  private final long[] shareBytes;
  private final long[] chosenBytes;

  private Progress(VolumeLoad[] loads, double[] leads) {
    this.leads = leads;
    shareBytes = Arrays.stream(loads).mapToLong(load -> load.share().recentShareBytes()).toArray();
    chosenBytes = Arrays.stream(loads).mapToLong(load -> load.share().chosenBytes()).toArray();
  }

  /** Returns the start, with equal progress. */
  static Progress start(VolumeLoad... loads) {
    return new Progress(loads, new double[loads.length]);
  }

  /**
   * Returns the progress at the next ranking.
   *
   * @param weights shares since the last ranking; a volume with 0 was excluded and counts as the
   *     farthest
   * @param kept the part of a lead that is kept
   */
  Progress next(VolumeLoad[] loads, double[] weights, double kept) {
    Progress next = new Progress(loads, leads.clone());
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < loads.length; i++) {
      if (weights[i] > 0) {
        next.leads[i] += (next.shareBytes[i] - shareBytes[i]) / weights[i];
        most = Math.max(most, next.leads[i]);
      }
    }
    for (int i = 0; i < loads.length; i++) {
      next.leads[i] = weights[i] > 0 ? kept * (next.leads[i] - most) : 0;
    }
    return next;
  }

  /** Returns the progress of a volume. A volume with less progress is behind. */
  double of(int index, VolumeLoad load, double weight) {
    return leads[index] + (load.share().chosenBytes() - chosenBytes[index]) / weight;
  }
}
