package org.fastpath.tiered.regionserver.guard;

import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;

/**
 * Creates a guard that watches no store, so the sources of a RegionServer with a guard show their
 * metrics without HBase. It is in this package because these classes are package-private.
 */
public final class SampleGuard {
  private SampleGuard() {}

  /** Makes the sources register, with one pseudo-source each. */
  public static void publish() {
    new GuardMetrics(() -> 0, () -> new ServerWatch.Counts(0, 0, 0), () -> 0);
    TierMeters meters = new TierMeters();
    meters.of(new TierMeters.Tier(TableName.valueOf("sample"), StorageType.DISK));
    LocatedFile.match(List.of(StorageType.SSD), List.of(StorageType.DISK))
        .forEach(placement -> meters.placed(placement, 0));
  }
}
