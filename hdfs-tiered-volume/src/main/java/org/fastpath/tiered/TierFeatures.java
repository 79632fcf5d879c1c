package org.fastpath.tiered;

import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.VersionInfo;
import org.fastpath.common.FeatureStatus;
import org.fastpath.common.guard.FeatureGuard;
import org.fastpath.common.guard.Unverified;

/** Holds the status of the features that run in DataNodes and NameNodes. */
public final class TierFeatures {
  private static final String MODULE = "hdfs-tiered-volume";

  /** The policy that chooses volumes by their latency. */
  public static final FeatureStatus LATENCY_VOLUMES = FeatureStatus.of(MODULE, "latency-volumes");

  /** The dataset with our locks and with kernel advice by the type of a volume. */
  public static final FeatureStatus TIERED_DATASET = FeatureStatus.of(MODULE, "tiered-dataset");

  /** Storage policies from the NameNode's configuration. */
  public static final FeatureStatus STORAGE_POLICIES = FeatureStatus.of(MODULE, "storage-policies");

  /** The mover of replicas to another tier. */
  public static final FeatureGuard MOVER = guard(FeatureStatus.of(MODULE, "mover"));

  private TierFeatures() {}

  /**
   * Compares Hadoop's code with the code that a feature was verified with.
   *
   * @return whether the feature may be used; if not, its status and the log state the reason
   */
  public static boolean check(FeatureStatus status) {
    return guard(status).usable();
  }

  private static FeatureGuard guard(FeatureStatus status) {
    return new FeatureGuard(
        status,
        TierFeatures.class,
        () -> "Hadoop " + VersionInfo.getVersion(),
        Unverified.HDFS_KEY,
        () -> new HdfsConfiguration().get(Unverified.HDFS_KEY));
  }
}
