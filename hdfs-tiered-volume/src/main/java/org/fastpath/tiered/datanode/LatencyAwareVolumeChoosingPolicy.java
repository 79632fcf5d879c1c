package org.fastpath.tiered.datanode;

import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.fastpath.common.FeatureStatus;
import org.fastpath.tiered.TierFeatures;
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
    extends GuardedVolumeChoosingPolicy<V> {
  private static final Logger LOG = LoggerFactory.getLogger(LatencyAwareVolumeChoosingPolicy.class);

  private static final FeatureStatus STATUS = TierFeatures.LATENCY_VOLUMES;

  private volatile VolumeChooser chooser;

  /** Made by HDFS, which then calls {@link #setConf}. */
  public LatencyAwareVolumeChoosingPolicy() {
    chooser = chooser(VolumeChoiceOptions.defaults());
  }

  private static VolumeChooser chooser(VolumeChoiceOptions options) {
    return new VolumeChooser(
        options, System::nanoTime, () -> ThreadLocalRandom.current().nextLong());
  }

  @Override
  void configure(Configuration conf) {
    VolumeChoiceOptions options = VolumeChoiceOptions.of(conf);
    chooser = chooser(options);
    VolumeWatch.SHARED.join(this, options);
    STATUS.active();
    LOG.info("Volumes are chosen by their latency: {}", options);
  }

  @Override
  int choose(VolumeGroup group, long replicaSize) {
    return chooser.choose(group, replicaSize);
  }

  @Override
  void fellBack(Throwable why) {
    STATUS.fallenBack("round-robin chose a volume: " + why);
  }

  /** Looks at the volumes when no replica comes for long. */
  void rank() {
    groups().forEach(chooser::rank);
  }
}
