package org.fastpath.tiered.datanode.move;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage.State;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/**
 * The volumes that can take replicas. Their room is the NameNode's value less the bytes planned
 * since. Thread-safe.
 */
final class TargetVolumes {
  private static final class Volume {
    private long room;

    Volume(long room) {
      this.room = room;
    }

    long room() {
      return room;
    }
  }

  private record Node(DatanodeInfo info, Map<StorageType, List<Volume>> volumes) {
    Optional<Volume> roomiest(StorageType type, long bytes) {
      return volumes.getOrDefault(type, List.of()).stream()
          .filter(volume -> volume.room >= bytes)
          .max(Comparator.comparingLong(Volume::room));
    }

    long room(StorageType type, long bytes) {
      return roomiest(type, bytes).map(Volume::room).orElse(-1L);
    }
  }

  private final Map<String, Node> nodes = new HashMap<>();

  TargetVolumes(DatanodeStorageReport... reports) {
    for (DatanodeStorageReport report : reports) {
      DatanodeInfo info = report.getDatanodeInfo();
      if (info.getAdminState() == AdminStates.NORMAL) {
        nodes.put(info.getDatanodeUuid(), new Node(info, volumes(report.getStorageReports())));
      }
    }
  }

  private static Map<StorageType, List<Volume>> volumes(StorageReport[] reports) {
    Map<StorageType, List<Volume>> volumes = new EnumMap<>(StorageType.class);
    for (StorageReport report : reports) {
      if (!report.isFailed() && report.getStorage().getState() == State.NORMAL) {
        volumes
            .computeIfAbsent(report.getStorage().getStorageType(), type -> new ArrayList<>())
            .add(new Volume(report.getRemaining()));
      }
    }
    return volumes;
  }

  /** Reserves room on a volume of the type on this DataNode, if it has any. */
  synchronized boolean reserve(DatanodeInfo node, StorageType type, long bytes) {
    Node known = nodes.get(node.getDatanodeUuid());
    Optional<Volume> volume = known == null ? Optional.empty() : known.roomiest(type, bytes);
    volume.ifPresent(v -> v.room -= bytes);
    return volume.isPresent();
  }

  /** Reserves room on the allowed DataNode with the most room. */
  synchronized Optional<DatanodeInfo> reserveOn(
      Predicate<DatanodeInfo> allowed, StorageType type, long bytes) {
    Optional<DatanodeInfo> found =
        nodes.values().stream()
            .filter(node -> allowed.test(node.info()))
            .filter(node -> node.roomiest(type, bytes).isPresent())
            .max(Comparator.comparingLong(node -> node.room(type, bytes)))
            .map(Node::info);
    found.ifPresent(node -> reserve(node, type, bytes));
    return found;
  }

  /** Returns whether any volume of the type has room. */
  synchronized boolean anyRoom(StorageType type, long bytes) {
    return nodes.values().stream().anyMatch(node -> node.roomiest(type, bytes).isPresent());
  }
}
