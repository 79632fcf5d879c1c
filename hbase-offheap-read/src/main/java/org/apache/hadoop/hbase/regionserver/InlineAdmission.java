package org.apache.hadoop.hbase.regionserver;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.regionserver.InlineRead.Outcome;

/**
 * Decides whether gets, or scans, of a region are tried inline.
 *
 * <p>A region qualifies if each of its stores is lean, reads its blocks through the cache, and
 * seeks in the thread of the scan. None of its coprocessors may have a hook for such requests,
 * because a hook may wait for anything. HBase's code for NEW_VERSION_BEHAVIOR can fail or loop
 * without an end, so such families do not qualify. If blocks are often not in memory, a try costs
 * more than it saves. So after misses only one of {@value #RARELY} requests is tried, until tries
 * succeed again. After a split, handlers answer until a compaction has replaced the references,
 * because Bloom filters of references cannot be asked without a read.
 *
 * <p>Thread-safe. Counts of misses are not exact.
 */
final class InlineAdmission {
  private static final Set<String> HOOKS_FOR_GETS =
      Set.of(
          "preGetOp",
          "postGetOp",
          "preExists",
          "postExists",
          "preStoreScannerOpen",
          "postInstantiateDeleteTracker");

  private static final Set<String> HOOKS_FOR_SCANS =
      Set.of(
          "preScannerOpen",
          "postScannerOpen",
          "preScannerNext",
          "postScannerNext",
          "preScannerClose",
          "postScannerClose",
          "postScannerFilterRow",
          "preStoreScannerOpen",
          "postInstantiateDeleteTracker");

  private static final int RARELY = 64;
  private static final int BEST = 64;
  private static final int COST_OF_MISS = 4;

  private final Set<String> hooks;

  /** The last judgement; null until the first request. */
  private volatile Judgement judgement;

  private int score = BEST;
  private int skipped;

  /**
   * The judgement whether a region qualifies.
   *
   * @param host the region's coprocessors, which a change of the configuration replaces
   */
  private record Judgement(RegionCoprocessorHost host, boolean qualified) {}

  private InlineAdmission(Set<String> hooks) {
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
    return known.qualified && (score > 0 || ++skipped % RARELY == 0) && !hasReferences(region);
  }

  private static boolean hasReferences(HRegion region) {
    for (HStore store : region.stores.values()) {
      if (store.hasReferences()) {
        return true;
      }
    }
    return false;
  }

  void ended(Outcome outcome) {
    int now = score;
    if (outcome == Outcome.READY) {
      score = Math.min(BEST, now + 1);
    } else if (outcome != Outcome.NOT_FOR_US) {
      score = Math.max(-BEST, now - COST_OF_MISS);
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
        && host.findCoprocessors(RegionCoprocessor.class).stream()
            .flatMap(coprocessor -> coprocessor.getRegionObserver().stream())
            .anyMatch(this::hasHooks);
  }

  /** Returns whether an observer has a hook; also true if its methods name a missing class. */
  boolean hasHooks(RegionObserver observer) {
    try {
      return Arrays.stream(observer.getClass().getMethods()).anyMatch(this::isHook);
    } catch (LinkageError e) {
      return true;
    }
  }

  /** Returns whether the observer overrides a hook. Otherwise the interface declares the method. */
  private boolean isHook(Method method) {
    return hooks.contains(method.getName())
        && method.getParameterCount() > 0
        && method.getParameterTypes()[0] == ObserverContext.class
        && method.getDeclaringClass() != RegionObserver.class;
  }
}
