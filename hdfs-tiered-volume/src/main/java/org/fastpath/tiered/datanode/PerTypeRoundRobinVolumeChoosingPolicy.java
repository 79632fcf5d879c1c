package org.fastpath.tiered.datanode;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Gives all volumes of a storage type the same number of bytes. It suits equal disks and a
 * deterministic placement. Its key is {@code dfs.datanode.fsdataset.volume.choosing.policy}.
 *
 * <p>The stock round-robin (a counter per type since HDFS-9608) counts replicas and ignores partly
 * filled blocks. This policy counts written bytes and the bytes that open replicas may still need,
 * see {@link FairShares}. If they cannot be measured, it counts the requested sizes. Thread-safe,
 * without a lock.
 *
 * @param <V> HDFS's volumes
 */
public final class PerTypeRoundRobinVolumeChoosingPolicy<V extends FsVolumeSpi>
    extends GuardedVolumeChoosingPolicy<V> {
  private volatile long additionalBytes;

  /** Called by HDFS, which then calls {@link #setConf}. */
  public PerTypeRoundRobinVolumeChoosingPolicy() {
    // The exception says everything.
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
