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
 * Wraps a store's tracker with a {@link FilePlacer}. HBase writes the class name of a tracker into
 * the table's descriptor, where a class of ours would stay after the jar is removed. So this class
 * sets the field of the store's engine, which is the same for every engine. Thread-safe.
 */
final class StoreTrackers {
  private static final String FIELD = "storeFileTracker";

  /** Known stores. The value is empty for a store without rules or with wrong ones. */
  private static final Map<HStore, Optional<TierRules>> SEEN = new WeakHashMap<>();

  private StoreTrackers() {}

  /**
   * Applies the rules of a store, if it has any and is not known yet. At its return the rules
   * apply, also if another thread applied them. After a failure the store stays as it is.
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
