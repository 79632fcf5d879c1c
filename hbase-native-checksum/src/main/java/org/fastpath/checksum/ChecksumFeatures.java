package org.fastpath.checksum;

import org.fastpath.common.FeatureStatus;

/** Holds the status of the two patches. */
public final class ChecksumFeatures {
  private static final String MODULE = "hbase-native-checksum";

  /** The patch of Hadoop's class. */
  public static final FeatureStatus HADOOP = FeatureStatus.of(MODULE, "checksum-hadoop");

  /** The patch of HBase's class. */
  public static final FeatureStatus HBASE = FeatureStatus.of(MODULE, "checksum-hbase");

  private ChecksumFeatures() {}
}
