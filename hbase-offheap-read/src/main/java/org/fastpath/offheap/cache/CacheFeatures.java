package org.fastpath.offheap.cache;

import org.fastpath.common.FeatureStatus;

/** Holds the status of the jar's features. */
public final class CacheFeatures {
  private static final String MODULE = "hbase-offheap-read";

  /** The block cache. */
  public static final FeatureStatus CACHE = FeatureStatus.of(MODULE, "cache");

  /** The reader of HFiles. */
  public static final FeatureStatus READER = FeatureStatus.of(MODULE, "offheap-reader");

  /** Scans without the checks that HBase repeats for each cell. */
  public static final FeatureStatus LEAN_SCANS = FeatureStatus.of(MODULE, "lean-scans");

  private CacheFeatures() {}
}
