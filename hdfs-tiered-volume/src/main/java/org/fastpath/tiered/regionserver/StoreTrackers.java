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
   * Applies the rules of a store that is not known yet, and gives its files {@link LargePackets}.
   * At its return both apply, also if another thread applied them. After a failure, or with wrong
   * rules, the store stays as it is.
   *
   * @return the rules, if there are any
   */
  static synchronized Optional<TierRules> attach(HStore store) {
    Optional<TierRules> seen = SEEN.get(store);
    if (seen != null) {
      return seen;
    }
    Optional<TierRules> rules = rules(store);
    Optional<TierRules> some = rules.filter(own -> !own.isEmpty());
    SEEN.put(store, some);
    rules.ifPresent(own -> follow(own, store));
    return some;
  }

  /** Returns the rules of a store, which may be none; empty if they are wrong. */
  private static Optional<TierRules> rules(HStore store) {
    try {
      TierRules rules = TierRules.of(PlacedRegionFileSystem.configuration(store));
      RuleStatus.right(store);
      return Optional.of(rules);
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
      boolean large = LargePackets.client(store.getFileSystem()).isPresent();
      if (rules.isEmpty() && !large) {
        return;
      }
      Field field = StoreEngine.class.getDeclaredField(FIELD);
      field.setAccessible(true);
      StoreEngine<?, ?, ?, ?> engine = store.getStoreEngine();
      StoreFileTracker tracker = (StoreFileTracker) field.get(engine);
      Object placing = placing(tracker, rules, large, store);
      if (store instanceof HMobStore mobStore && (large || rules.mob().isPresent())) {
        StoreContexts.placeMobFiles(mobStore, rules.mob());
      }
      field.set(engine, placing);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      TierMetrics.untracked(store, e);
    }
  }

  private static Object placing(
      StoreFileTracker tracker, TierRules rules, boolean large, HStore store) {
    Map<Optional<String>, StoreFileTracker> writers = new HashMap<>();
    rules
        .formats()
        .forEach(
            (name, format) -> {
              Optional<String> policy = Optional.of(name);
              writers.put(policy, StoreContexts.writers(store, policy, format));
            });
    Optional<String> none = Optional.empty();
    writers.put(none, large ? StoreContexts.writers(store, none, TierFormat.STOCK) : tracker);
    return Proxy.newProxyInstance(
        StoreFileTracker.class.getClassLoader(),
        new Class<?>[] {StoreFileTracker.class},
        new FilePlacer(tracker, rules, writers));
  }
}
