package org.fastpath.tiered.datanode;

import org.fastpath.tiered.datanode.VolumeStatistics.Signal;

/**
 * Computes the slowness of a volume: the time of its work divided by the peers' time for the same
 * work. Stateless: equal numbers give equal results.
 */
final class SlownessJudge {
  /**
   * A credit of time at the peers' cost for each volume. So a volume becomes slow after seconds of
   * waiting, not after one pause of an idle volume.
   */
  static final double PRIOR_NANOS = 250e6;

  private final VolumeStatistics volume;
  private final PeerCosts peers;

  SlownessJudge(VolumeStatistics volume, PeerCosts peers) {
    this.volume = volume;
    this.peers = peers;
  }

  /** Returns the slowness by the strongest signal. */
  double slowness(double prior) {
    return moreExtreme(operations(prior), device(prior));
  }

  /**
   * Returns the slowness for shares, limited by the writers' own times. If a shared controller is
   * the limit, a volume's throughput depends on its number of writers and does not make it fast or
   * slow.
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
    return moreExtreme(agreed, device(PRIOR_NANOS));
  }

  /** Returns the value that is further from 1. */
  private static double moreExtreme(double one, double other) {
    return Math.abs(Math.log(one)) > Math.abs(Math.log(other)) ? one : other;
  }

  private double device(double prior) {
    return (spent(Signal.DEVICE) + prior) / (expected(Signal.DEVICE) + prior);
  }

  /**
   * Returns the slowness of operations. Write-back is invisible, so the true slowness lies in a
   * range; returns the value closest to 1.
   */
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

  /** Returns the time of the volume's work at a cost. */
  double expected(Signal signal, double cost) {
    return cost > 0 && volume.estimate(signal).isKnown()
        ? volume.estimate(signal).expectedNanos(cost)
        : 0;
  }
}
