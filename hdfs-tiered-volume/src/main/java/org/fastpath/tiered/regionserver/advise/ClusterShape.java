package org.fastpath.tiered.regionserver.advise;

import java.util.Comparator;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.fs.StorageType;

/**
 * What advice is computed from.
 *
 * @param volumes by type
 * @param bandwidth of one volume, by type; all that there are volumes of
 * @param wal the type that logs are on, as {@code flush} for flushes and {@code compaction} for
 *     compactions
 * @param otherCompactions the types that major, large and old ones have by rules of their own
 * @param largeBytes from which on compactions have a rule of their own, if they have one
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

  /** Bytes of HBase that a server can write to a type in a second, each replicated. */
  double share(StorageType type) {
    return volumes.get(type).volumes() * bandwidth.get(type).bytes() / replication / servers;
  }

  /** Of the types that compactions go to, the one that takes less. */
  StorageType slowestCompaction() {
    return Stream.concat(Stream.of(compaction), otherCompactions.stream())
        .min(Comparator.comparingDouble(this::share))
        .orElseThrow();
  }

  /** Volumes of a type for each DataNode that has some. */
  int volumesPerNode(StorageType type) {
    TierVolumes all = volumes.get(type);
    return (int) Math.ceil((double) all.volumes() / all.nodes());
  }

  /** Volumes of a DataNode, of all types. */
  int volumesPerNode() {
    return volumes.keySet().stream().mapToInt(this::volumesPerNode).sum();
  }

  /** DataNodes that have volumes. */
  int nodes() {
    return volumes.values().stream().mapToInt(TierVolumes::nodes).max().orElse(1);
  }
}
