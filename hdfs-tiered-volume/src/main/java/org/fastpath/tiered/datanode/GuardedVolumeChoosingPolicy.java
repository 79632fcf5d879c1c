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
 * The common part of our policies: a choice among the volumes of one group, with HDFS's round-robin
 * as the fallback. A choice may fail although a volume has room, for example because a jar is
 * missing. Then round-robin chooses, a metric counts it, and the first case is logged. So a
 * DataNode with our policy accepts every replica that a stock DataNode accepts. Thread-safe.
 */
abstract class GuardedVolumeChoosingPolicy<V extends FsVolumeSpi>
    implements VolumeChoosingPolicy<V>, Configurable {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedVolumeChoosingPolicy.class);

  private final VolumeGroups groups = new VolumeGroups();
  private final RoundRobinVolumeChoosingPolicy<V> stock = new RoundRobinVolumeChoosingPolicy<>();
  private volatile boolean failed;
  private Configuration conf;

  /** Applies a configuration, or throws if it is wrong. */
  abstract void configure(Configuration conf);

  /** Returns the index of the volume for a replica, or {@link VolumeChooser#NONE}. */
  abstract int choose(VolumeGroup group, long replicaSize);

  /** Called at the first choice by round-robin. */
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

  /** Configures round-robin. Before Hadoop 3.4, it has no configuration. */
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
      LOG.warn(
          "A choice of a volume failed and round-robin chose instead; further cases are "
              + "only counted",
          why);
    }
    try {
      VolumeMetrics.FELL_BACK.increment();
    } catch (LinkageError e) {
      // Without metrics nothing can be counted. The log has the failure of the metrics.
      LOG.debug("A fallback is not counted", e);
    }
  }
}
