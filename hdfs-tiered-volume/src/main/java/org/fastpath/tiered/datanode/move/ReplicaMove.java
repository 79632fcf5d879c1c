package org.fastpath.tiered.datanode.move;

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * One replica that goes to another volume.
 *
 * @param block whose replica it is
 * @param source the DataNode that has it
 * @param storageId of the volume that it leaves
 * @param from the type of that volume
 * @param target the DataNode that gets it; often the same
 * @param to the type of the volume that it goes to
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

  /** Whether no byte crosses the network. */
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
