package org.fastpath.tiered.datanode;

import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.fastpath.bench.engine.parts.StandInVolume;

/**
 * A volume that is none, so that the sources of a DataNode that chooses volumes tell what they have
 * without an HDFS. In this package because these classes are nobody else's business.
 */
public final class SampleVolumes {
  private static final FsVolumeSpi SAMPLE = StandInVolume.of(() -> 1 << 20);

  private SampleVolumes() {}

  /** Makes the sources register, with one pseudo-source. */
  public static void publish() {
    VolumeRegistry.SHARED.of(SAMPLE);
  }
}
