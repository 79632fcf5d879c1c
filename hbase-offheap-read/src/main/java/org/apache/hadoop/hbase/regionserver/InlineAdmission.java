package org.apache.hadoop.hbase.regionserver;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.regionserver.InlineRead.Outcome;

/**
 * Decides whether gets, or scans, of a region are tried inline.
 *
 * <p>A region qualifies if each of its stores is lean, reads its blocks through the cache, and
 * seeks in the thread of the scan. None of its coprocessors may have a hook for such requests,
 * because a hook may wait for anything. HBase's code for NEW_VERSION_BEHAVIOR can fail or loop
 * without an end, so such families do not qualify. {@link Tries} decides whether blocks are in
 * memory often enough. After a split, handlers answer until a compaction has replaced the
 * references, because Bloom filters of references cannot be asked without a read.
 *
 * <p>Thread-safe. Counts of misses are not exact.
 */
final class InlineAdmission {
  private static final Set<ObserverHook> HOOKS_FOR_GETS =
      EnumSet.of(
          ObserverHook.PRE_GET,
          ObserverHook.POST_GET,
          ObserverHook.PRE_EXISTS,
          ObserverHook.POST_EXISTS,
          ObserverHook.POST_SCANNER_FILTER_ROW,
          ObserverHook.PRE_STORE_SCANNER_OPEN,
          ObserverHook.POST_INSTANTIATE_DELETE_TRACKER);

  private static final Set<ObserverHook> HOOKS_FOR_SCANS =
      EnumSet.of(
          ObserverHook.PRE_SCANNER_OPEN,
          ObserverHook.POST_SCANNER_OPEN,
          ObserverHook.PRE_SCANNER_NEXT,
          ObserverHook.POST_SCANNER_NEXT,
          ObserverHook.PRE_SCANNER_CLOSE,
          ObserverHook.POST_SCANNER_CLOSE,
          ObserverHook.POST_SCANNER_FILTER_ROW,
          ObserverHook.PRE_STORE_SCANNER_OPEN,
          ObserverHook.POST_INSTANTIATE_DELETE_TRACKER);

  /** A request that misses memory is served twice, up to the miss. */
  private static final int COST_OF_MISS = 4;

  private final Set<ObserverHook> hooks;

  /** The last judgement; null until the first request. */
  private volatile Judgement judgement;

  private final Tries tries = new Tries(COST_OF_MISS);

  /**
   * The judgement whether a region qualifies.
   *
   * @param host the region's coprocessors, which a change of the configuration replaces
   */
  private record Judgement(RegionCoprocessorHost host, boolean qualified) {}

  private InlineAdmission(Set<ObserverHook> hooks) {
    this.hooks = hooks;
  }

  static InlineAdmission ofGets() {
    return new InlineAdmission(HOOKS_FOR_GETS);
  }

  static InlineAdmission ofScans() {
    return new InlineAdmission(HOOKS_FOR_SCANS);
  }

  boolean admits(HRegion region) {
    Judgement known = judgement;
    if (known == null || known.host != region.getCoprocessorHost()) {
      known = judge(region, region.getCoprocessorHost());
      judgement = known;
    }
    return known.qualified && tries.isDue() && !hasReferences(region);
  }

  private static boolean hasReferences(HRegion region) {
    for (HStore store : region.stores.values()) {
      if (hasReferences(store)) {
        return true;
      }
    }
    return false;
  }

  /** Answers like the store itself, which copies its list of files for each answer. */
  private static boolean hasReferences(HStore store) {
    store.storeEngine.readLock();
    try {
      // An open scanner may read files that were compacted meanwhile.
      return isReference(store.getStorefiles()) || isReference(store.getCompactedFiles());
    } finally {
      store.storeEngine.readUnlock();
    }
  }

  private static boolean isReference(Collection<HStoreFile> files) {
    for (HStoreFile file : files) {
      if (file.isReference()) {
        return true;
      }
    }
    return false;
  }

  void ended(Outcome outcome) {
    if (outcome != Outcome.NOT_FOR_US) {
      tries.ended(outcome == Outcome.READY);
    }
  }

  private Judgement judge(HRegion region, RegionCoprocessorHost host) {
    return new Judgement(
        host,
        !region.getTableDescriptor().getTableName().isSystemTable()
            && region.getStores().stream().allMatch(InlineAdmission::qualifies)
            && !hasHooks(host));
  }

  private static boolean qualifies(HStore store) {
    return store instanceof LeanStore
        && !store.getScanInfo().isParallelSeekEnabled()
        && !store.getColumnFamilyDescriptor().isNewVersionBehavior()
        && store.getCacheConfig().getBlockCache().isPresent()
        && store.getCacheConfig().shouldReadBlockFromCache(BlockType.DATA);
  }

  private boolean hasHooks(RegionCoprocessorHost host) {
    return host != null
        && !Collections.disjoint(
            hooks, ObserverHook.of(host.findCoprocessors(RegionCoprocessor.class)));
  }
}
