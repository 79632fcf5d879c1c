package org.fastpath.tiered.datanode.move;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;

/**
 * A part of a block on one volume: a replica, or an internal block of a striped one.
 *
 * @param block with the id and length of the stored data
 * @param node the DataNode of the volume
 * @param type of the volume
 * @param storageId of the volume
 */
record Replica(ExtendedBlock block, DatanodeInfo node, StorageType type, String storageId) {
  /**
   * Returns the replicas of a block.
   *
   * @param coding of the file, null if it has none
   */
  static List<Replica> of(LocatedBlock block, ErasureCodingPolicy coding) {
    DatanodeInfo[] nodes = block.getLocations();
    List<Replica> replicas = new ArrayList<>();
    for (int i = 0; i < nodes.length; i++) {
      replicas.add(
          new Replica(
              stored(block, coding, i),
              nodes[i],
              block.getStorageTypes()[i],
              block.getStorageIDs()[i]));
    }
    return replicas;
  }

  private static ExtendedBlock stored(LocatedBlock block, ErasureCodingPolicy coding, int i) {
    if (block instanceof LocatedStripedBlock striped) {
      return StripedBlockUtil.constructInternalBlock(
          block.getBlock(),
          coding.getCellSize(),
          coding.getNumDataUnits(),
          striped.getBlockIndices()[i]);
    }
    return block.getBlock();
  }
}
