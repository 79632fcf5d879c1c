package org.fastpath.tiered.regionserver;

import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Files that somebody else has written and a store takes over. Each gets the policy of the rule
 * between its staging and its renaming into the store, so that it is never there without; its
 * blocks, which are where they were written, are moved afterwards. Safe from any thread.
 */
final class BulkLoads {
  private BulkLoads() {}

  /**
   * Sets the policy of files that are about to be renamed.
   *
   * @param files where they are and where they will be, which can be the same
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

  /** Has files moved to where their policy wants them. */
  static void move(HStore store, List<Path> files) {
    if (StoreTrackers.attach(store).flatMap(TierRules::bulkLoad).isPresent()) {
      files.forEach(file -> MoveRequests.submit(store.getFileSystem(), file));
    }
  }
}
