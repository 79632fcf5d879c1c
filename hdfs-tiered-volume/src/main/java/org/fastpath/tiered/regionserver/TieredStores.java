package org.fastpath.tiered.regionserver;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Writes store files of user tables in {@link LargePackets}, to the tiers that {@link TierRules}
 * name. One line in {@code hbase-site.xml} of the RegionServers installs it:
 *
 * <pre>{@code
 * hbase.coprocessor.user.region.classes = org.fastpath.tiered.regionserver.TieredStores
 * }</pre>
 *
 * <p>Before the first file of a store is written, also by a flush after a log replay, it wraps the
 * store's tracker with a {@link FilePlacer}. Bulk-loaded files get their policy, and the mover gets
 * a request. A store with wrong rules stays as it is. They cause one error in the log.
 */
public class TieredStores implements RegionCoprocessor, RegionObserver {
  private Optional<RegionObserver> self = Optional.of(this);

  /** Called by HBase. */
  public TieredStores() {}

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment environment) {
    TierMetrics.register();
    if (!RuleStatus.started()) {
      self = Optional.empty();
      return;
    }
    WalPolicy.check(environment.getConfiguration());
    LargePackets.check(environment.getConfiguration());
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return self;
  }

  @Override
  public void preFlushScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      ScanOptions options,
      FlushLifeCycleTracker tracker) {
    attach(store);
  }

  @Override
  public void preCompactScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      ScanType scanType,
      ScanOptions options,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    attach(store);
    FilePlacer.compacting(request);
  }

  /** Sets policies. All files are staged on HBase's file system by now. */
  @Override
  public void preCommitStoreFile(
      ObserverContext<RegionCoprocessorEnvironment> context,
      byte[] family,
      List<Pair<Path, Path>> pairs) {
    if (context.getEnvironment().getRegion().getStore(family) instanceof HStore store) {
      BulkLoads.place(store, pairs);
    }
  }

  @Override
  public void postBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> context,
      List<Pair<byte[], String>> staged,
      Map<byte[], List<Path>> loaded) {
    if (loaded != null) {
      loaded.forEach(
          (family, files) -> {
            if (context.getEnvironment().getRegion().getStore(family) instanceof HStore store) {
              BulkLoads.move(store, files);
            }
          });
    }
  }

  private static void attach(Store store) {
    if (store instanceof HStore own) {
      StoreTrackers.attach(own);
    }
  }
}
