package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;

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
    implements VolumeChoosingPolicy<V>, Configurable {
  private final VolumeGroups groups = new VolumeGroups();
  private volatile long additionalBytes;
  private Configuration conf;

  /** Made by HDFS, which then calls {@link #setConf}. */
  public PerTypeRoundRobinVolumeChoosingPolicy() {
    // All is said.
  }

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    additionalBytes = VolumeChoiceOptions.additionalBytes(conf);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public V chooseVolume(List<V> volumes, long replicaSize, String storageId) throws IOException {
    VolumeGroup group = groups.of(volumes);
    int chosen = FairShares.next(group, group.equal().weights(), replicaSize + additionalBytes);
    if (chosen < 0) {
      throw VolumeGroups.outOfSpace(group, replicaSize);
    }
    group.load(chosen).chosen(replicaSize);
    return volumes.get(chosen);
  }
}
