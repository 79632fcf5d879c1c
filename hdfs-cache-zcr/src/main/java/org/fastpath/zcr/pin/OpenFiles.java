package org.fastpath.zcr.pin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;

/**
 * The open files of this server's regions at one moment.
 *
 * @param regions encoded names of primary regions that are not closing
 */
record OpenFiles(Set<String> regions, List<OpenFile> files) {

  /**
   * Returns the file lists of all stores, to detect changes. HBase makes a new list at each change,
   * so a comparison of references suffices.
   */
  static List<Collection<? extends StoreFile>> lists(OnlineRegions online) {
    List<Collection<? extends StoreFile>> lists = new ArrayList<>();
    for (Region region : online.getRegions()) {
      region.getStores().forEach(store -> lists.add(store.getStorefiles()));
    }
    return lists;
  }

  static OpenFiles of(OnlineRegions online, TablePolicies policies) {
    Set<String> regions = new HashSet<>();
    List<OpenFile> files = new ArrayList<>();
    for (Region region : online.getRegions()) {
      if (RegionReplicaUtil.isDefaultReplica(region.getRegionInfo())) {
        List<OpenFile> own = new ArrayList<>();
        for (Store store : region.getStores()) {
          own.addAll(of(region, store, store.getStorefiles(), policies));
        }
        // This check comes last: a closing region loses its files before it is offline.
        if (!region.isClosing() && !region.isClosed()) {
          regions.add(region.getRegionInfo().getEncodedName());
          files.addAll(own);
        }
      }
    }
    return new OpenFiles(regions, files);
  }

  /** Returns some files of one store. */
  static List<OpenFile> of(
      Region region,
      Store store,
      Collection<? extends StoreFile> storeFiles,
      TablePolicies policies) {
    PinPolicy policy = policies.of(region.getTableDescriptor(), store.getColumnFamilyDescriptor());
    List<OpenFile> files = new ArrayList<>();
    for (StoreFile file : storeFiles) {
      OpenFile.of(file, region.getRegionInfo().getEncodedName(), policy).ifPresent(files::add);
    }
    return files;
  }
}
