package org.fastpath.tiered.regionserver;

import java.lang.reflect.Field;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.regionserver.HMobStore;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.PlacedRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.StoreContext;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTracker;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory;

/**
 * What a store and its tracker know of where they are and how they write, with the file system and
 * the format of a policy in it.
 */
final class StoreContexts {
  private static final String FIELD = "storeContext";

  private StoreContexts() {}

  /**
   * A tracker of the store's class that makes writers for files with a policy. Nothing else may be
   * asked of it: what files the store has is known to the store's own tracker.
   */
  static StoreFileTracker writers(HStore store, String policy, TierFormat format) {
    StoreContext context =
        context(
            store, placing(store, policy, format), format.of(store.getColumnFamilyDescriptor()));
    return StoreFileTrackerFactory.create(
        PlacedRegionFileSystem.configuration(store), context.isPrimaryReplicaStore(), context);
  }

  /**
   * Has the MOB files of a store written with a policy. They are no tracker's: the store creates
   * them in a directory of all tables and renames them, or in that of the family's, which it is
   * told by its tracker. Both go through the file system that its context has.
   */
  static void placeMobFiles(HMobStore store, String policy) throws ReflectiveOperationException {
    TierFormat stock = TierFormat.STOCK;
    StoreContext context =
        context(store, placing(store, policy, stock), store.getColumnFamilyDescriptor());
    Field field = HStore.class.getDeclaredField(FIELD);
    field.setAccessible(true);
    field.set(store, context);
  }

  private static FileSystem placing(HStore store, String policy, TierFormat format) {
    return new PlacingFileSystem(
        store.getRegionFileSystem().getFileSystem(),
        PlacedRegionFileSystem.configuration(store),
        PlacedRegionFileSystem.context(store)::getFavoredNodes,
        policy,
        !format.isStock());
  }

  private static StoreContext context(
      HStore store, FileSystem files, ColumnFamilyDescriptor family) {
    StoreContext own = PlacedRegionFileSystem.context(store);
    return StoreContext.getBuilder()
        .withBlockSize(family.getBlocksize())
        .withEncryptionContext(own.getEncryptionContext())
        .withBloomType(own.getBloomFilterType())
        .withCacheConfig(own.getCacheConf())
        .withCellComparator(own.getComparator())
        .withColumnFamilyDescriptor(family)
        .withCompactedFilesSupplier(own.getCompactedFilesSupplier())
        .withRegionFileSystem(new PlacedRegionFileSystem(store, files))
        .withFavoredNodesSupplier(own::getFavoredNodes)
        .withFamilyStoreDirectoryPath(own.getFamilyStoreDirectoryPath())
        .withRegionCoprocessorHost(own.getCoprocessorHost())
        .build();
  }
}
