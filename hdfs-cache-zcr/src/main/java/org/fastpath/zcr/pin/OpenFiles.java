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
 * What the regions of this server have open at one moment.
 *
 * @param regions encoded names of those that are not closing; of a region with replicas the primary
 *     one
 */
record OpenFiles(Set<String> regions, List<OpenFile> files) {

  /**
   * The lists of all stores, to see whether one has changed. HBase makes a new list when one does,
   * so that two of these are compared by a few references a store.
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
        // Looked at last: a region that closes has no files before it is no longer online.
        if (!region.isClosing() && !region.isClosed()) {
          regions.add(region.getRegionInfo().getEncodedName());
          files.addAll(own);
        }
      }
    }
    return new OpenFiles(regions, files);
  }

  /** Some files of one store. */
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
