package org.fastpath.tiered.datanode;

import org.fastpath.tiered.datanode.VolumeLoad.Signal;

/**
 * What a unit of work costs volumes of a kind, by signal, in nanoseconds; 0 where nobody knows. Of
 * bytes that were written into memory it is between two bounds: nothing, and all the time that
 * passed.
 */
record PeerCosts(double[] least, double[] most) {
  double least(Signal signal) {
    return least[signal.ordinal()];
  }

  double most(Signal signal) {
    return most[signal.ordinal()];
  }
}
