package org.fastpath.tiered.datanode;

import org.fastpath.tiered.datanode.VolumeLoad.Signal;

/**
 * What a unit of work costs volumes of a kind, in nanoseconds; 0 where nobody knows. Nobody sees
 * what becomes of bytes that were written into memory: what a byte costs their disks is between
 * what was seen and {@code mostTransfer}.
 *
 * @param costs that were seen, by signal
 * @param mostTransfer of a byte, if disks needed all the time that passed
 * @param lateNanos how late they all are, for a reason that they share
 */
record PeerCosts(double[] costs, double mostTransfer, double lateNanos) {
  double cost(Signal signal) {
    return costs[signal.ordinal()];
  }
}
