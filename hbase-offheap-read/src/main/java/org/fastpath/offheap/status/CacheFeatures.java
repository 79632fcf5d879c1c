package org.fastpath.offheap.status;

import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.fastpath.common.FeatureStatus;
import org.fastpath.common.guard.GuardedFeature;
import org.fastpath.common.guard.Unverified;

/** Holds the status of the jar's features. */
public final class CacheFeatures {
  private static final String MODULE = "hbase-offheap-read";

  /** The block cache. */
  public static final FeatureStatus CACHE = FeatureStatus.of(MODULE, "cache");

  /** The reader of HFiles. */
  public static final FeatureStatus READER = FeatureStatus.of(MODULE, "offheap-reader");

  /** Scans without the checks that HBase repeats for each cell. */
  public static final FeatureStatus LEAN_SCANS = FeatureStatus.of(MODULE, "lean-scans");

  /** Gets that the event loop answers. */
  public static final FeatureStatus INLINE_READS = FeatureStatus.of(MODULE, "inline-reads");

  private CacheFeatures() {}

  /**
   * Compares HBase's code with the code that a feature was verified with.
   *
   * @return whether the feature may be used; if not, its status and the log state the reason
   */
  public static boolean check(FeatureStatus status) {
    return GuardedFeature.check(
            status,
            CacheFeatures.class,
            "HBase " + VersionInfo.getVersion(),
            Unverified.HBASE_KEY,
            () -> HBaseConfiguration.create().get(Unverified.HBASE_KEY))
        .usable();
  }
}
