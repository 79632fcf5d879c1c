package org.fastpath.tiered.datanode.move;

import java.util.Collection;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Decides whether a replica may go from one DataNode to another, beside the block's other replicas.
 */
@FunctionalInterface
interface PlacementRule {
  /**
   * Returns whether it may.
   *
   * @param holders DataNodes that have a replica now, the source among them
   */
  boolean allows(Collection<DatanodeInfo> holders, DatanodeInfo source, DatanodeInfo target);
}
