package org.fastpath.tiered.regionserver.guard;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Where a file is.
 *
 * @param bytes of its replicas, by the type of storage that they are on
 * @param placed of its replicas, by what the file's policy wanted and what it got
 */
record LocatedFile(Map<StorageType, Long> bytes, Map<Placement, Long> placed) {

  /** A type that a policy wants for a replica, and the one that the replica is on. */
  record Placement(StorageType wanted, StorageType actual) {
    boolean isFallback() {
      return wanted != actual;
    }
  }

  /**
   * Of a file with these blocks.
   *
   * @param wanted the types that its policy has for as many replicas as it should have
   */
  static LocatedFile of(List<StorageType> wanted, List<LocatedBlock> blocks) {
    Map<StorageType, Long> bytes = new EnumMap<>(StorageType.class);
    Map<Placement, Long> placed = new HashMap<>();
    for (LocatedBlock block : blocks) {
      for (StorageType type : block.getStorageTypes()) {
        bytes.merge(type, block.getBlockSize(), Long::sum);
      }
      for (Placement placement : match(wanted, List.of(block.getStorageTypes()))) {
        placed.merge(placement, block.getBlockSize(), Long::sum);
      }
    }
    return new LocatedFile(bytes, placed);
  }

  /**
   * Replicas are where they should be as far as that is possible; those that are left over are in
   * place of the types that are left over, in their order.
   */
  static List<Placement> match(List<StorageType> wanted, List<StorageType> actual) {
    List<StorageType> missing = new ArrayList<>(wanted);
    List<StorageType> strange = new ArrayList<>();
    List<Placement> placements = new ArrayList<>();
    for (StorageType type : actual) {
      if (missing.remove(type)) {
        placements.add(new Placement(type, type));
      } else {
        strange.add(type);
      }
    }
    for (int i = 0; i < Math.min(strange.size(), missing.size()); i++) {
      placements.add(new Placement(missing.get(i), strange.get(i)));
    }
    return placements;
  }
}
