package org.fastpath.tiered.datanode;

import org.fastpath.tiered.datanode.VolumeStatistics.Signal;

/**
 * What a unit of work costs volumes of a kind, in nanoseconds; 0 where nobody knows. Nobody sees
 * what becomes of bytes that were written into memory: what a byte costs their disks is between
 * what was seen and {@code mostTransfer}.
 *
 * @param costs that were seen, by signal
 * @param mostTransfer of a byte, if disks needed all the time that passed
 * @param excessWaitNanos what writers of all of them waited too long, for a reason that they share
 */
record PeerCosts(double[] costs, double mostTransfer, double excessWaitNanos) {
  double cost(Signal signal) {
    return costs[signal.ordinal()];
  }
}
