package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the volume of a replica by what the volumes are doing now, so that a slow disk does not
 * hold up writers: what HDFS-16446 wanted, without the way in which excluding slow disks can
 * exclude all (HDFS-17681). Set as {@code dfs.datanode.fsdataset.volume.choosing.policy}; {@link
 * VolumeChooser} says how it chooses.
 *
 * <p>HDFS asks it for new replicas (with the storage that the NameNode has in mind, which any
 * policy may ignore), for moves to another storage type (with an empty one) and for lazy persist
 * (with none): a volume is the same to all of them. Thread-safe: a choice takes no lock and
 * allocates nothing.
 *
 * @param <V> HDFS's volumes
 */
public final class LatencyAwareVolumeChoosingPolicy<V extends FsVolumeSpi>
    implements VolumeChoosingPolicy<V>, Configurable {
  private static final Logger LOG = LoggerFactory.getLogger(LatencyAwareVolumeChoosingPolicy.class);

  private final VolumeGroups groups = new VolumeGroups();
  private volatile VolumeChooser chooser;
  private Configuration conf;

  /** Made by HDFS, which then calls {@link #setConf}. */
  public LatencyAwareVolumeChoosingPolicy() {
    chooser = chooser(VolumeChoiceOptions.defaults());
  }

  private static VolumeChooser chooser(VolumeChoiceOptions options) {
    return new VolumeChooser(
        options, System::nanoTime, () -> ThreadLocalRandom.current().nextLong());
  }

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    VolumeChoiceOptions options = VolumeChoiceOptions.of(conf);
    chooser = chooser(options);
    VolumeWatch.SHARED.join(this, options);
    LOG.info("Volumes are chosen by their latency: {}", options);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public V chooseVolume(List<V> volumes, long replicaSize, String storageId) throws IOException {
    VolumeGroup group = groups.of(volumes);
    int chosen = chooser.choose(group, replicaSize);
    if (chosen == VolumeChooser.NONE) {
      throw VolumeGroups.outOfSpace(group, replicaSize);
    }
    return volumes.get(chosen);
  }

  /** Looks at the volumes when no replica comes for long. */
  void rank() {
    groups.forEach(chooser::rank);
  }
}
