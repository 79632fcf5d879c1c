package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.regionserver.HStore;
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

  /** Stores that were looked at. */
  private static final Set<HStore> SEEN = Collections.newSetFromMap(new WeakHashMap<>());

  private StoreTrackers() {}

  /**
   * Has the rules of a store followed, if it has any and was not looked at before. When it returns
   * that is done, also if another thread does it. A store that it fails for stays as it is.
   */
  static synchronized void attach(HStore store) {
    if (!SEEN.add(store)) {
      return;
    }
    try {
      TierRules rules = TierRules.of(store.getReadOnlyConfiguration());
      if (!rules.isEmpty()) {
        follow(rules, store);
      }
    } catch (InvalidValueException e) {
      TierMetrics.misconfigured(store, e);
    } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError e) {
      TierMetrics.untracked(store, e);
    }
  }

  private static void follow(TierRules rules, HStore store)
      throws ReflectiveOperationException, IOException {
    Field field = StoreEngine.class.getDeclaredField(FIELD);
    field.setAccessible(true);
    StoreEngine<?, ?, ?, ?> engine = store.getStoreEngine();
    StoreFileTracker tracker = (StoreFileTracker) field.get(engine);
    field.set(engine, placing(tracker, rules, store));
  }

  private static Object placing(StoreFileTracker tracker, TierRules rules, HStore store)
      throws IOException {
    return Proxy.newProxyInstance(
        StoreFileTracker.class.getClassLoader(),
        new Class<?>[] {StoreFileTracker.class},
        new FilePlacer(tracker, rules, backing(store.getFileSystem())));
  }

  /** HBase's own file system says nothing when a policy cannot be set. */
  private static FileSystem backing(FileSystem files) throws IOException {
    return files instanceof HFileSystem own ? own.getBackingFs() : files;
  }
}
