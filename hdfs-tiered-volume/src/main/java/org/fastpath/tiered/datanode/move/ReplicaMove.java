package org.fastpath.tiered.datanode.move;

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * The move of one replica to another volume.
 *
 * @param block of the replica
 * @param source the DataNode that has it
 * @param storageId of the source volume
 * @param from the type of the source volume
 * @param target the DataNode that gets it; often the same
 * @param to the type of the target volume
 */
record ReplicaMove(
    ExtendedBlock block,
    DatanodeInfo source,
    String storageId,
    StorageType from,
    DatanodeInfo target,
    StorageType to) {
  long bytes() {
    return block.getNumBytes();
  }

  /** Returns whether source and target are on one DataNode. */
  boolean isLocal() {
    return source.getDatanodeUuid().equals(target.getDatanodeUuid());
  }

  @Override
  public String toString() {
    return block
        + " from "
        + source.getXferAddr()
        + " "
        + from
        + " to "
        + target.getXferAddr()
        + " "
        + to;
  }
}
