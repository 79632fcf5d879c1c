package org.fastpath.tiered.datanode;

import org.fastpath.bench.tiered.StandInVolume;

/**
 * A volume that is none, so that the sources of a DataNode that chooses volumes tell what they have
 * without an HDFS. In this package because these classes are nobody else's business.
 */
public final class SampleVolumes {
  private static final StandInVolume SAMPLE = new StandInVolume(() -> 1 << 20, null);

  private SampleVolumes() {}

  /** Makes the sources register, with one pseudo-source. */
  public static void publish() {
    VolumeRegistry.SHARED.of(SAMPLE);
  }
}
