package org.fastpath.tiered.datanode;

import org.fastpath.tiered.datanode.VolumeStatistics.Signal;

/**
 * How many times as slow as its peers a volume is: the time that its work took, by the time that
 * peers would have taken for it. Without state: the same numbers are always judged alike.
 */
final class SlownessJudge {
  /**
   * Time as cheap as the peers' that each volume is credited with, so that it takes seconds of
   * waiting to be slow, and not a hiccup on an idle volume.
   */
  static final double PRIOR_NANOS = 250e6;

  private final VolumeStatistics volume;
  private final PeerCosts peers;

  SlownessJudge(VolumeStatistics volume, PeerCosts peers) {
    this.volume = volume;
    this.peers = peers;
  }

  /** By the signal that says the most. */
  double slowness(double prior) {
    return further(operations(prior), device(prior));
  }

  /**
   * The same for shares, as far as the writers' own times say so, too: behind a controller that is
   * the limit a volume gets as much done as it has writers, and is neither fast nor slow for it.
   */
  double agreedSlowness() {
    double operations = operations(PRIOR_NANOS);
    double waits =
        (spent(Signal.TRANSFER_WAIT) + spent(Signal.CONTROL_WAIT) + PRIOR_NANOS)
            / (expected(Signal.TRANSFER_WAIT) + expected(Signal.CONTROL_WAIT) + PRIOR_NANOS);
    double agreed =
        operations > 1
            ? Math.max(1, Math.min(operations, waits))
            : Math.min(1, Math.max(operations, waits));
    return further(agreed, device(PRIOR_NANOS));
  }

  /** The one that is further from "like its peers". */
  private static double further(double one, double other) {
    return Math.abs(Math.log(one)) > Math.abs(Math.log(other)) ? one : other;
  }

  private double device(double prior) {
    return (spent(Signal.DEVICE) + prior) / (expected(Signal.DEVICE) + prior);
  }

  /** Bytes in memory may cost anything between nothing and all the time: the mildest counts. */
  private double operations(double prior) {
    double controls = spent(Signal.CONTROL) + prior;
    double peersControls = expected(Signal.CONTROL) + prior;
    double most = isComparable(Signal.TRANSFER) ? volume.mostTransferNanos() : 0;
    double least =
        (spent(Signal.TRANSFER) + controls)
            / (expected(Signal.TRANSFER, peers.mostTransfer()) + peersControls);
    double greatest = (most + controls) / (expected(Signal.TRANSFER) + peersControls);
    return Math.max(least, Math.min(1, greatest));
  }

  boolean isComparable(Signal signal) {
    return peers.cost(signal) > 0 && volume.estimate(signal).isKnown();
  }

  private double spent(Signal signal) {
    return isComparable(signal) ? volume.estimate(signal).spentNanos() : 0;
  }

  private double expected(Signal signal) {
    return expected(signal, peers.cost(signal));
  }

  /** The time that the volume's work takes at a cost. */
  double expected(Signal signal, double cost) {
    return cost > 0 && volume.estimate(signal).isKnown()
        ? volume.estimate(signal).expectedNanos(cost)
        : 0;
  }
}
