package org.fastpath.tiered.status;

import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.fastpath.common.FeatureStatus;
import org.fastpath.common.guard.FeatureGuard;
import org.fastpath.common.guard.Unverified;

/** Guards the features of this jar that rely on HBase's code. */
public final class HBaseFeatures {
  /** Rules for the tiers of store files. */
  public static final FeatureGuard TIER_RULES = guard("tier-rules");

  /** The guard against overloads of tiers. */
  public static final FeatureGuard TIER_GUARD = guard("tier-guard");

  private HBaseFeatures() {}

  private static FeatureGuard guard(String feature) {
    return new FeatureGuard(
        FeatureStatus.of("hdfs-tiered-volume", feature),
        HBaseFeatures.class,
        () -> "HBase " + VersionInfo.getVersion(),
        Unverified.HBASE_KEY,
        () -> HBaseConfiguration.create().get(Unverified.HBASE_KEY));
  }
}
