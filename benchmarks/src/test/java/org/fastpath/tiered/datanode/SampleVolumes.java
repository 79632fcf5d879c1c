package org.fastpath.tiered.datanode;

import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.fastpath.bench.engine.parts.StandInVolume;

/**
 * Creates a fake volume, so the sources of a DataNode that chooses volumes show their metrics
 * without HDFS. It is in this package because these classes are package-private.
 */
public final class SampleVolumes {
  private static final FsVolumeSpi SAMPLE = StandInVolume.of(() -> 1 << 20);

  private SampleVolumes() {}

  /** Makes the sources register, with one pseudo-source. */
  public static void publish() {
    VolumeRegistry.SHARED.of(SAMPLE);
  }
}
