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

/**
 * Puts a {@link FilePlacer} in front of a store's tracker. HBase has no name in its configuration
 * for that: a tracker's class is written into the table's descriptor, where a class of ours would
 * stay when the jar is gone. So the field of the store's engine is set, which is the same for every
 * engine. Safe from any thread.
 */
final class StoreTrackers {
  private static final String FIELD = "storeFileTracker";

  private static final Set<HStore> SEEN =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private StoreTrackers() {}

  /** Whether this store was looked at before. */
  static boolean isSeen(HStore store) {
    return SEEN.contains(store);
  }

  /** Leaves a store as it is, for ever. */
  static void leave(HStore store) {
    SEEN.add(store);
  }

  /** Has rules followed by a store that was not looked at before, if there are any. */
  static void see(HStore store, TierRules rules) throws IOException {
    if (!SEEN.add(store) || rules.isEmpty()) {
      return;
    }
    try {
      Field field = StoreEngine.class.getDeclaredField(FIELD);
      field.setAccessible(true);
      StoreEngine<?, ?, ?, ?> engine = store.getStoreEngine();
      StoreFileTracker tracker = (StoreFileTracker) field.get(engine);
      field.set(engine, placing(tracker, rules, store));
    } catch (ReflectiveOperationException e) {
      throw new IOException("this version of HBase keeps trackers elsewhere", e);
    }
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
