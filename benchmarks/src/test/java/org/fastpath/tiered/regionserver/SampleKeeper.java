package org.fastpath.tiered.regionserver;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;

/**
 * Creates a keeper that has seen one file, so the sources of an HMaster with a keeper show their
 * metrics without HBase. It is in this package because these classes are package-private.
 */
public final class SampleKeeper {
  private SampleKeeper() {}

  /** Makes the sources register, with one pseudo-source. */
  public static void publish() {
    KeeperMetrics.Tally tally = new KeeperMetrics.Tally();
    tally.add(
        new RestingFile(
            TableName.valueOf("sample"),
            "f",
            new Path("/sample"),
            0,
            RestingFile.State.FLUSHED,
            "HOT",
            Optional.of("HOT"),
            RestingFile.Change.NONE,
            Map.of(StorageType.DISK, 1L),
            Map.of()));
    new KeeperMetrics().show(tally, 0, 0);
  }
}
