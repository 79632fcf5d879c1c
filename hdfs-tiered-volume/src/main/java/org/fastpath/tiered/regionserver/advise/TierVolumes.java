package org.fastpath.tiered.regionserver.advise;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/**
 * The volumes of one type.
 *
 * @param nodes DataNodes with such volumes
 * @param volumes total number
 * @param capacityBytes of all volumes
 * @param freeBytes that HDFS can still write
 */
record TierVolumes(StorageType type, int nodes, int volumes, long capacityBytes, long freeBytes) {

  /** Returns the reports of the DataNodes in service, by type. */
  static Map<StorageType, TierVolumes> of(Collection<DatanodeStorageReport> nodes) {
    Map<StorageType, TierVolumes> sum = new EnumMap<>(StorageType.class);
    for (DatanodeStorageReport node : nodes) {
      if (node.getDatanodeInfo().getAdminState() == DatanodeInfo.AdminStates.NORMAL) {
        ofNode(node.getStorageReports())
            .forEach((type, volumes) -> sum.merge(type, volumes, TierVolumes::plus));
      }
    }
    return sum;
  }

  private static Map<StorageType, TierVolumes> ofNode(StorageReport[] reports) {
    Map<StorageType, TierVolumes> sum = new EnumMap<>(StorageType.class);
    for (StorageReport report : reports) {
      if (!report.isFailed()) {
        StorageType type = report.getStorage().getStorageType();
        TierVolumes volume =
            new TierVolumes(type, 1, 1, report.getCapacity(), report.getRemaining());
        sum.merge(type, volume, (one, other) -> one.plus(other).onNodes(1));
      }
    }
    return sum;
  }

  private TierVolumes plus(TierVolumes other) {
    return new TierVolumes(
        type,
        nodes + other.nodes,
        volumes + other.volumes,
        capacityBytes + other.capacityBytes,
        freeBytes + other.freeBytes);
  }

  private TierVolumes onNodes(int count) {
    return new TierVolumes(type, count, volumes, capacityBytes, freeBytes);
  }
}
