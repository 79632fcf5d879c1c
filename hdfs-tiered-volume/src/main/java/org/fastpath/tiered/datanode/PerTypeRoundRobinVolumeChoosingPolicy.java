package org.fastpath.tiered.datanode;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Gives all volumes of a storage type the same number of bytes: for operators who want a placement
 * that can be foretold, with disks that are alike. Set as {@code
 * dfs.datanode.fsdataset.volume.choosing.policy}.
 *
 * <p>The stock round-robin (a counter per type since HDFS-9608) counts replicas: of a block that is
 * not full it does not know. Here the bytes count that were written and those that open replicas
 * may still need, see {@link FairShares}; where they cannot be measured, the sizes for which
 * volumes were chosen. Thread-safe, without a lock.
 *
 * @param <V> HDFS's volumes
 */
public final class PerTypeRoundRobinVolumeChoosingPolicy<V extends FsVolumeSpi>
    extends GuardedVolumeChoosingPolicy<V> {
  private volatile long additionalBytes;

  /** Made by HDFS, which then calls {@link #setConf}. */
  public PerTypeRoundRobinVolumeChoosingPolicy() {
    // All is said.
  }

  @Override
  void configure(Configuration conf) {
    additionalBytes = VolumeChoiceOptions.additionalBytes(conf);
  }

  @Override
  int choose(VolumeGroup group, long replicaSize) {
    int chosen = FairShares.next(group, group.equal().weights(), replicaSize + additionalBytes);
    if (chosen != VolumeChooser.NONE) {
      group.load(chosen).share().chosen(replicaSize);
    }
    return chosen;
  }
}
