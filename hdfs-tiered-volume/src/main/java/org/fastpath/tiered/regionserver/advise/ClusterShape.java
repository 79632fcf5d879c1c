package org.fastpath.tiered.regionserver.advise;

import java.util.Comparator;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.fs.StorageType;

/**
 * The inputs of the advice.
 *
 * @param volumes by type
 * @param bandwidth of one volume, for each type with volumes
 * @param wal storage type of logs; {@code flush} and {@code compaction} likewise
 * @param otherCompactions types that separate rules give to major, large and old compactions
 * @param largeBytes input size from which a separate rule applies, if there is one
 * @param replication of HBase's files
 * @param servers RegionServers
 * @param cores of a RegionServer's machine
 * @param heapBytes of a RegionServer
 */
record ClusterShape(
    Map<StorageType, TierVolumes> volumes,
    Map<StorageType, Bandwidth> bandwidth,
    StorageType wal,
    StorageType flush,
    StorageType compaction,
    Set<StorageType> otherCompactions,
    OptionalLong largeBytes,
    int replication,
    int servers,
    int cores,
    long heapBytes) {

  /** Returns the bytes that a server can write to a type in a second, after replication. */
  double share(StorageType type) {
    return volumes.get(type).volumes() * bandwidth.get(type).bytes() / replication / servers;
  }

  /** Returns the slowest type of compactions. */
  StorageType slowestCompaction() {
    return Stream.concat(Stream.of(compaction), otherCompactions.stream())
        .min(Comparator.comparingDouble(this::share))
        .orElseThrow();
  }

  /** Returns the volumes of a type per DataNode with that type. */
  int volumesPerNode(StorageType type) {
    TierVolumes all = volumes.get(type);
    return (int) Math.ceil((double) all.volumes() / all.nodes());
  }

  /** Returns the volumes of a DataNode, of all types. */
  int volumesPerNode() {
    return volumes.keySet().stream().mapToInt(this::volumesPerNode).sum();
  }

  /** Returns the DataNodes with volumes. */
  int nodes() {
    return volumes.values().stream().mapToInt(TierVolumes::nodes).max().orElse(1);
  }
}
