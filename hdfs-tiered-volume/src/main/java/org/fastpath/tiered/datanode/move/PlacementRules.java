package org.fastpath.tiered.datanode.move;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicies;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.net.NetworkTopology;

/**
 * HDFS's own placement policies as rules for moves, used like in its balancer and mover. The
 * configuration names one for replicas and one for groups of erasure-coded blocks. Immutable.
 */
final class PlacementRules {
  private final BlockPlacementPolicies policies;

  /** Makes the rules of a cluster with these DataNodes. */
  PlacementRules(Configuration conf, DatanodeStorageReport... reports) {
    NetworkTopology topology = NetworkTopology.getInstance(conf);
    for (DatanodeStorageReport report : reports) {
      topology.add(report.getDatanodeInfo());
    }
    policies = new BlockPlacementPolicies(conf, null, topology, null);
  }

  /** Returns the rule for a kind of block. */
  PlacementRule of(BlockType type) {
    BlockPlacementPolicy policy = policies.getPolicy(type);
    return (holders, source, target) -> allows(policy, holders, source, target);
  }

  private static boolean allows(
      BlockPlacementPolicy policy,
      Collection<DatanodeInfo> holders,
      DatanodeInfo source,
      DatanodeInfo target) {
    List<DatanodeInfo> candidates = new ArrayList<>(holders);
    candidates.add(target);
    return policy.isMovable(candidates, source, target);
  }
}
