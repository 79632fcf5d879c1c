package org.fastpath.tiered.datanode;

import java.util.Arrays;

/**
 * How far volumes have come with their shares of the bytes, as one look at them found it: the
 * virtual time of weighted fair queueing [1], bytes by weight, of which only differences matter.
 * Immutable.
 *
 * <p>Looks count bytes that were written or reserved of late, since nobody knows a replica's length
 * when its volume is chosen; the rest of a log's block does not put its volume ahead. Between two
 * looks the bytes count for which a volume was chosen: those are known at once, and many who choose
 * at a time do not all see the same volume behind.
 *
 * <ol>
 *   <li>A. Demers, S. Keshav, S. Shenker: Analysis and Simulation of a Fair Queueing Algorithm,
 *       SIGCOMM 1989
 * </ol>
 */
final class Progress {
  /** Of those that take part; not positive, as the one that is farthest has none. */
  private final double[] leads;

  private final long[] shareBytes;
  private final long[] chosenBytes;

  private Progress(VolumeLoad[] loads, double[] leads) {
    this.leads = leads;
    shareBytes = Arrays.stream(loads).mapToLong(load -> load.share().recentShareBytes()).toArray();
    chosenBytes = Arrays.stream(loads).mapToLong(load -> load.share().chosenBytes()).toArray();
  }

  /** All begin at the same place. */
  static Progress start(VolumeLoad... loads) {
    return new Progress(loads, new double[loads.length]);
  }

  /**
   * What the next look finds.
   *
   * @param weights shares since the last look; one with 0 was left out and is where the farthest is
   * @param kept the part of a lead that is not forgotten
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

  /** Where a volume is now; the one with less is behind. */
  double of(int index, VolumeLoad load, double weight) {
    return leads[index] + (load.share().chosenBytes() - chosenBytes[index]) / weight;
  }
}
