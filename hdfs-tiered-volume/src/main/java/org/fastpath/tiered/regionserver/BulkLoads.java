package org.fastpath.tiered.regionserver;

import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Places bulk-loaded files. Each file gets the rule's policy between its staging and its rename
 * into the store, so it is never there without. Its blocks are where they were written and are
 * moved afterwards. Thread-safe.
 */
final class BulkLoads {
  private BulkLoads() {}

  /**
   * Sets the policy of files that are about to be renamed.
   *
   * @param files pairs of current and future path, which can be equal
   */
  static void place(HStore store, List<Pair<Path, Path>> files) {
    StoreTrackers.attach(store)
        .flatMap(TierRules::bulkLoad)
        .ifPresent(policy -> files.forEach(file -> place(store, file.getFirst(), policy)));
  }

  private static void place(HStore store, Path file, String policy) {
    if (PlacingFileSystem.set(store.getFileSystem(), file, policy)) {
      TierMetrics.placed(false);
    }
  }

  /** Requests moves of files to the types of their policies. */
  static void move(HStore store, List<Path> files) {
    if (StoreTrackers.attach(store).flatMap(TierRules::bulkLoad).isPresent()) {
      files.forEach(file -> MoveRequests.submit(store.getFileSystem(), file));
    }
  }
}
