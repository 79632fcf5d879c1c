package org.fastpath.zcr.status;

import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.fastpath.common.FeatureStatus;
import org.fastpath.common.guard.FeatureGuard;
import org.fastpath.common.guard.Unverified;

/** Guards the features of this jar that rely on HBase's code. */
public final class HBaseFeatures {
  /** Data blocks of HFiles from mappings. */
  public static final FeatureGuard MAPPED_BLOCKS = guard("mapped-blocks");

  /** Cache directives for hot files. */
  public static final FeatureGuard PINNING = guard("pinning");

  /** Reads before a RegionServer gets regions. */
  public static final FeatureGuard READ_WARM_UP = guard("read-warm-up");

  /** The balancer that places regions local to their cached replicas. */
  public static final FeatureGuard BALANCER = guard("balancer");

  private HBaseFeatures() {}

  private static FeatureGuard guard(String feature) {
    return new FeatureGuard(
        FeatureStatus.of("hdfs-cache-zcr", feature),
        HBaseFeatures.class,
        () -> "HBase " + VersionInfo.getVersion(),
        Unverified.HBASE_KEY,
        () -> HBaseConfiguration.create().get(Unverified.HBASE_KEY));
  }
}
