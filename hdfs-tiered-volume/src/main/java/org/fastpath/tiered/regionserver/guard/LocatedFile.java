package org.fastpath.tiered.regionserver.guard;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * The places of a file.
 *
 * @param bytes of its replicas, by storage type
 * @param placed bytes of its replicas, by wanted and actual type
 */
record LocatedFile(Map<StorageType, Long> bytes, Map<Placement, Long> placed) {

  /** The wanted and the actual storage type of a replica. */
  record Placement(StorageType wanted, StorageType actual) {
    boolean isFallback() {
      return wanted != actual;
    }
  }

  /**
   * Returns the places of a file with these blocks.
   *
   * @param wanted types of its policy for its replication
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
   * Pairs wanted and actual types. Equal types are paired first; the remaining ones are paired in
   * their order.
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
