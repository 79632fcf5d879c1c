package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What our policies have in common: a choice among the volumes of one group, and HDFS's round-robin
 * behind it. A choice that fails for another reason than that no volume has room (metrics that
 * cannot be registered, a jar that is not there) is made by round-robin, counted, and in the log
 * the first time: a DataNode with a policy of ours takes every replica that it would take without.
 * Thread-safe.
 */
abstract class GuardedVolumeChoosingPolicy<V extends FsVolumeSpi>
    implements VolumeChoosingPolicy<V>, Configurable {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedVolumeChoosingPolicy.class);

  private final VolumeGroups groups = new VolumeGroups();
  private final RoundRobinVolumeChoosingPolicy<V> stock = new RoundRobinVolumeChoosingPolicy<>();
  private volatile boolean failed;
  private Configuration conf;

  /** Takes a configuration, or refuses it. */
  abstract void configure(Configuration conf);

  /** The index of the volume for a replica, or {@link VolumeChooser#NONE}. */
  abstract int choose(VolumeGroup group, long replicaSize);

  /** Called the first time that round-robin has to choose. */
  void fellBack(Throwable why) {}

  final VolumeGroups groups() {
    return groups;
  }

  @Override
  public final void setConf(Configuration conf) {
    this.conf = conf;
    configure(conf);
    configureStock(conf);
  }

  /** Before Hadoop 3.4, round-robin has nothing to configure. */
  private void configureStock(Configuration conf) {
    if ((Object) stock instanceof Configurable configurable) {
      configurable.setConf(conf);
    }
  }

  @Override
  public final Configuration getConf() {
    return conf;
  }

  @Override
  public final V chooseVolume(List<V> volumes, long replicaSize, String storageId)
      throws IOException {
    VolumeGroup group;
    int chosen;
    try {
      group = groups.of(volumes);
      chosen = choose(group, replicaSize);
    } catch (RuntimeException | LinkageError e) {
      failed(e);
      return stock.chooseVolume(volumes, replicaSize, storageId);
    }
    if (chosen == VolumeChooser.NONE) {
      throw VolumeGroups.outOfSpace(group, replicaSize);
    }
    return volumes.get(chosen);
  }

  private void failed(Throwable why) {
    if (!failed) {
      failed = true;
      fellBack(why);
      LOG.warn("A volume is chosen by round-robin; more of the kind are counted only", why);
    }
    try {
      VolumeMetrics.FELL_BACK.increment();
    } catch (LinkageError e) {
      // Without metrics nothing can be counted. That they are missing is in the log.
      LOG.debug("A fallback is not counted", e);
    }
  }
}
