package org.fastpath.tiered.regionserver;

import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.apache.hadoop.hbase.regionserver.HMobStore;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.PlacedRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTracker;
import org.fastpath.tiered.InvalidValueException;

/**
 * Puts a {@link FilePlacer} in front of a store's tracker. HBase has no name in its configuration
 * for that: a tracker's class is written into the table's descriptor, where a class of ours would
 * stay when the jar is gone. So the field of the store's engine is set, which is the same for every
 * engine. Safe from any thread.
 */
final class StoreTrackers {
  private static final String FIELD = "storeFileTracker";

  /** Stores that were looked at; with no rules those that have none, or wrong ones. */
  private static final Map<HStore, Optional<TierRules>> SEEN = new WeakHashMap<>();

  private StoreTrackers() {}

  /**
   * Has the rules of a store followed, if it has any and was not looked at before. When it returns
   * that is done, also if another thread does it. A store that it fails for stays as it is.
   *
   * @return the rules, if there are any
   */
  static synchronized Optional<TierRules> attach(HStore store) {
    Optional<TierRules> seen = SEEN.get(store);
    if (seen != null) {
      return seen;
    }
    Optional<TierRules> rules = rules(store);
    SEEN.put(store, rules);
    rules.ifPresent(own -> follow(own, store));
    return rules;
  }

  private static Optional<TierRules> rules(HStore store) {
    try {
      TierRules rules = TierRules.of(PlacedRegionFileSystem.configuration(store));
      RuleStatus.right(store);
      return Optional.of(rules).filter(own -> !own.isEmpty());
    } catch (InvalidValueException e) {
      TierMetrics.misconfigured(store, e);
      RuleStatus.wrong(store, e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      TierMetrics.untracked(store, e);
    }
    return Optional.empty();
  }

  private static void follow(TierRules rules, HStore store) {
    try {
      Field field = StoreEngine.class.getDeclaredField(FIELD);
      field.setAccessible(true);
      StoreEngine<?, ?, ?, ?> engine = store.getStoreEngine();
      StoreFileTracker tracker = (StoreFileTracker) field.get(engine);
      field.set(engine, placing(tracker, rules, store));
      if (store instanceof HMobStore mobStore && rules.mob().isPresent()) {
        StoreContexts.placeMobFiles(mobStore, rules.mob().get());
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      TierMetrics.untracked(store, e);
    }
  }

  private static Object placing(StoreFileTracker tracker, TierRules rules, HStore store) {
    Map<String, StoreFileTracker> writers = new HashMap<>();
    rules
        .formats()
        .forEach(
            (policy, format) -> writers.put(policy, StoreContexts.writers(store, policy, format)));
    return Proxy.newProxyInstance(
        StoreFileTracker.class.getClassLoader(),
        new Class<?>[] {StoreFileTracker.class},
        new FilePlacer(tracker, rules, writers));
  }
}
