package org.fastpath.tiered.datanode.move;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * What has to move so that the replicas of one block are on the types that a policy wants.
 *
 * <p>Types and replicas that match stay as they are. What is left goes to another volume of its own
 * DataNode where that has one of a wanted type: no byte crosses the network, and where replicas are
 * does not change. Only then other DataNodes are looked at, first those of the source's rack, then
 * those that leave the block on as many racks as before or on two. The block's fallback types are
 * not used: they say where a write may go, not where a file belongs.
 *
 * <p>Made and used by one thread.
 */
final class BlockPlan {
  /** As many racks as HDFS's default placement asks for. */
  private static final int RACKS = 2;

  private record Replica(DatanodeInfo node, StorageType type, String storageId) {}

  private final ExtendedBlock block;
  private final TargetVolumes volumes;
  private final Set<DatanodeInfo> holders = new HashSet<>();
  private final List<StorageType> wanted;
  private final List<Replica> misplaced = new ArrayList<>();
  private final List<ReplicaMove> moves = new ArrayList<>();
  private final Set<Obstacle> obstacles = EnumSet.noneOf(Obstacle.class);

  private BlockPlan(
      LocatedBlock block, BlockStoragePolicy policy, short replication, TargetVolumes volumes) {
    this.block = block.getBlock();
    this.volumes = volumes;
    this.wanted = policy.chooseStorageTypes(replication);
    Set<StorageType> named = EnumSet.copyOf(Arrays.asList(policy.getStorageTypes()));
    for (Replica replica : replicas(block)) {
      holders.add(replica.node());
      if (!wanted.remove(replica.type()) && !isInPassing(replica, named)) {
        misplaced.add(replica);
      }
    }
    if (block.isCorrupt() || holders.isEmpty()) {
      obstacles.add(Obstacle.NO_REPLICA);
      misplaced.clear();
    }
  }

  /** Plans for one block, and takes the room that it needs. */
  static BlockPlan of(
      LocatedBlock block, BlockStoragePolicy policy, short replication, TargetVolumes volumes) {
    BlockPlan plan = new BlockPlan(block, policy, replication, volumes);
    plan.leaveImmovable();
    plan.moveWithinDataNodes();
    plan.moveBetweenDataNodes();
    return plan;
  }

  private static List<Replica> replicas(LocatedBlock block) {
    DatanodeInfo[] nodes = block.getLocations();
    List<Replica> replicas = new ArrayList<>();
    for (int i = 0; i < nodes.length; i++) {
      replicas.add(new Replica(nodes[i], block.getStorageTypes()[i], block.getStorageIDs()[i]));
    }
    return replicas;
  }

  /** Whether it is in memory because the policy says so, from where the DataNode writes it out. */
  private static boolean isInPassing(Replica replica, Set<StorageType> named) {
    return replica.type().isTransient() && named.contains(replica.type());
  }

  private void leaveImmovable() {
    boolean some = misplaced.removeIf(replica -> !isMovable(replica.type()));
    if (some && !wanted.isEmpty()) {
      obstacles.add(Obstacle.IN_MEMORY);
    }
  }

  private static boolean isMovable(StorageType type) {
    return type.isMovable() && type != StorageType.PROVIDED;
  }

  private void moveWithinDataNodes() {
    for (Iterator<Replica> i = misplaced.iterator(); i.hasNext(); ) {
      Replica replica = i.next();
      Optional<StorageType> type =
          wanted.stream()
              .filter(t -> volumes.reserve(replica.node(), t, block.getNumBytes()))
              .findFirst();
      if (type.isPresent()) {
        add(replica, replica.node(), type.get());
        i.remove();
      }
    }
  }

  private void moveBetweenDataNodes() {
    for (Replica replica : misplaced) {
      if (!wanted.isEmpty() && !moveToAnother(replica)) {
        obstacles.add(Obstacle.NO_TARGET);
      }
    }
  }

  private boolean moveToAnother(Replica replica) {
    String rack = replica.node().getNetworkLocation();
    return moveTo(replica, node -> node.getNetworkLocation().equals(rack))
        || moveTo(replica, node -> keepsRacks(replica, node));
  }

  private boolean moveTo(Replica replica, Predicate<DatanodeInfo> allowed) {
    for (StorageType type : wanted) {
      Optional<DatanodeInfo> target =
          volumes.reserveOn(
              node -> !holders.contains(node) && allowed.test(node), type, block.getNumBytes());
      if (target.isPresent()) {
        add(replica, target.get(), type);
        return true;
      }
    }
    return false;
  }

  private boolean keepsRacks(Replica leaving, DatanodeInfo coming) {
    Set<String> before = new HashSet<>();
    Set<String> after = new HashSet<>(Set.of(coming.getNetworkLocation()));
    for (DatanodeInfo holder : holders) {
      before.add(holder.getNetworkLocation());
      if (!holder.equals(leaving.node())) {
        after.add(holder.getNetworkLocation());
      }
    }
    return after.size() >= Math.min(RACKS, before.size());
  }

  private void add(Replica replica, DatanodeInfo target, StorageType type) {
    moves.add(
        new ReplicaMove(block, replica.node(), replica.storageId(), replica.type(), target, type));
    wanted.remove(type);
    holders.add(target);
  }

  List<ReplicaMove> moves() {
    return moves;
  }

  Set<Obstacle> obstacles() {
    return obstacles;
  }
}
