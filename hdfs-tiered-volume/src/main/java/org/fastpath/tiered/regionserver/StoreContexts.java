package org.fastpath.tiered.regionserver;

import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.regionserver.HMobStore;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.PlacedRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.StoreContext;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTracker;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory;

/** Makes contexts of a store and its tracker, with the file system and the format of a policy. */
final class StoreContexts {
  private static final String FIELD = "storeContext";

  private StoreContexts() {}

  /**
   * Returns a tracker of the store's class that makes writers for files with a policy, or for those
   * without a rule. It must not be used for anything else: only the store's own tracker knows the
   * store's files.
   */
  static StoreFileTracker writers(HStore store, Optional<String> policy, TierFormat format) {
    StoreContext context =
        context(
            store,
            placing(store, PlacedRegionFileSystem.context(store)::getFavoredNodes, policy, format),
            format.of(store.getColumnFamilyDescriptor()));
    return StoreFileTrackerFactory.create(
        PlacedRegionFileSystem.configuration(store), context.isPrimaryReplicaStore(), context);
  }

  /**
   * Makes a store write its MOB files with a policy, or without a rule. No tracker writes them: the
   * store creates them in a directory of all tables and renames them, or in the family's directory.
   * Both use the file system of the store's context. HBase names no favored nodes for them. Its
   * cache of MOB files keeps the file system, which must not keep a region.
   */
  static void placeMobFiles(HMobStore store, Optional<String> policy)
      throws ReflectiveOperationException {
    TierFormat stock = TierFormat.STOCK;
    StoreContext context =
        context(
            store, placing(store, () -> null, policy, stock), store.getColumnFamilyDescriptor());
    Field field = HStore.class.getDeclaredField(FIELD);
    field.setAccessible(true);
    field.set(store, context);
  }

  private static FileSystem placing(
      HStore store,
      Supplier<InetSocketAddress[]> favoredNodes,
      Optional<String> policy,
      TierFormat format) {
    return new PlacingFileSystem(
        store.getRegionFileSystem().getFileSystem(),
        PlacedRegionFileSystem.configuration(store),
        favoredNodes,
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
