package org.fastpath.tiered.datanode;

import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.fastpath.common.FeatureStatus;
import org.fastpath.tiered.TierFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the volume of a replica by the current latency of the volumes, so one slow disk does not
 * stall writers. HDFS-16446 has the same aim. This policy never excludes all disks, as HDFS-17681
 * describes. Its key is {@code dfs.datanode.fsdataset.volume.choosing.policy}. {@link
 * VolumeChooser} explains the choice.
 *
 * <p>HDFS calls it for new replicas, for moves to another storage type, and for lazy persist. All
 * three get the same choice; the NameNode's suggested storage is ignored, as a policy may.
 * Thread-safe: a choice takes no lock and allocates nothing.
 *
 * @param <V> HDFS's volumes
 */
public final class LatencyAwareVolumeChoosingPolicy<V extends FsVolumeSpi>
    extends GuardedVolumeChoosingPolicy<V> {
  private static final Logger LOG = LoggerFactory.getLogger(LatencyAwareVolumeChoosingPolicy.class);

  private static final FeatureStatus STATUS = TierFeatures.LATENCY_VOLUMES;

  private volatile VolumeChooser chooser;

  /** Called by HDFS, which then calls {@link #setConf}. */
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

  /** Ranks the volumes while no replica arrives. */
  void rank() {
    groups().forEach(chooser::rank);
  }
}
