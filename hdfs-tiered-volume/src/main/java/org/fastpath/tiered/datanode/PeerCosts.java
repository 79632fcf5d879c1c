package org.fastpath.tiered.datanode;

import org.fastpath.tiered.datanode.VolumeStatistics.Signal;

/**
 * The cost of a unit of work on the volumes of a kind, in nanoseconds; 0 if unknown. Write-back is
 * invisible, so the true cost of a byte lies between the measured cost and {@code mostTransfer}.
 *
 * @param costs measured, by signal
 * @param mostTransfer cost of a byte if the disks needed all the time that passed
 * @param excessWaitNanos excess wait of writers on all volumes, for a common reason
 */
record PeerCosts(double[] costs, double mostTransfer, double excessWaitNanos) {
  double cost(Signal signal) {
    return costs[signal.ordinal()];
  }
}
