package org.fastpath.tiered.datanode.move;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * What has to move so that the replicas of one block are on the types that a policy wants.
 *
 * <p>Only replicas of types that there are too many of move, and of these first such as find a
 * wanted type on their own DataNode: no byte crosses the network, and which DataNodes have the
 * block does not change. Then other DataNodes are looked at, those of the source's rack before
 * those that leave the block on as many racks as before, or on two. The policy's fallback types are
 * not used: they say where a write may go, not where a file belongs.
 *
 * <p>Made and used by one thread.
 */
final class BlockPlan {
  /** As many racks as HDFS's default placement asks for. */
  private static final int RACKS = 2;

  private final TargetVolumes volumes;
  private final int racks;

  /** The types that no replica has yet. */
  private final List<StorageType> wanted;

  /** How many replicas of a type are to leave it; which ones is open. */
  private final Map<StorageType, Integer> surplus = new EnumMap<>(StorageType.class);

  /** Those that may leave. */
  private final List<Replica> replicas;

  /** DataNodes that have a replica, or get or lose one by this plan: no targets. */
  private final Set<DatanodeInfo> holders = new HashSet<>();

  /** DataNodes that have a replica when the plan was carried out. */
  private final Set<DatanodeInfo> outcome = new HashSet<>();

  private final List<ReplicaMove> moves = new ArrayList<>();
  private final Set<Obstacle> obstacles = EnumSet.noneOf(Obstacle.class);

  private BlockPlan(
      List<Replica> replicas, BlockStoragePolicy policy, int replication, TargetVolumes volumes) {
    this.volumes = volumes;
    this.replicas = new ArrayList<>(replicas);
    wanted = policy.chooseStorageTypes((short) replication);
    for (Replica replica : replicas) {
      holders.add(replica.node());
      if (!wanted.remove(replica.type())) {
        surplus.merge(replica.type(), 1, Integer::sum);
      }
    }
    outcome.addAll(holders);
    racks = racks(holders).size();
    // A replica in memory by its policy is written out by its DataNode.
    Arrays.stream(policy.getStorageTypes())
        .filter(StorageType::isTransient)
        .forEach(surplus::remove);
  }

  /** Plans for the replicas of one block, and takes the room that they need. */
  static BlockPlan of(
      List<Replica> replicas, BlockStoragePolicy policy, int replication, TargetVolumes volumes) {
    BlockPlan plan = new BlockPlan(replicas, policy, replication, volumes);
    if (replicas.isEmpty()) {
      plan.obstacles.add(Obstacle.NO_REPLICA);
    } else {
      plan.make();
    }
    return plan;
  }

  private void make() {
    boolean inMemory = surplus.keySet().removeIf(type -> !isMovable(type));
    replicas.removeIf(replica -> canStay(replica) || moveWithinDataNode(replica));
    replicas.removeIf(replica -> canStay(replica) || moveToAnother(replica));
    if (!wanted.isEmpty() && !surplus.isEmpty()) {
      obstacles.add(Obstacle.NO_TARGET);
    }
    if (!wanted.isEmpty() && inMemory) {
      obstacles.add(Obstacle.IN_MEMORY);
    }
  }

  private static boolean isMovable(StorageType type) {
    return type.isMovable() && type != StorageType.PROVIDED;
  }

  private boolean canStay(Replica replica) {
    return wanted.isEmpty() || !surplus.containsKey(replica.type());
  }

  private boolean moveWithinDataNode(Replica replica) {
    Optional<StorageType> type =
        wanted.stream()
            .filter(t -> volumes.reserve(replica.node(), t, replica.block().getNumBytes()))
            .findFirst();
    type.ifPresent(t -> add(replica, replica.node(), t));
    return type.isPresent();
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
              node -> !holders.contains(node) && allowed.test(node),
              type,
              replica.block().getNumBytes());
      if (target.isPresent()) {
        add(replica, target.get(), type);
        return true;
      }
    }
    return false;
  }

  private boolean keepsRacks(Replica leaving, DatanodeInfo coming) {
    Set<DatanodeInfo> after = new HashSet<>(outcome);
    after.remove(leaving.node());
    after.add(coming);
    return racks(after).size() >= Math.min(RACKS, racks);
  }

  private static Set<String> racks(Set<DatanodeInfo> nodes) {
    return nodes.stream().map(DatanodeInfo::getNetworkLocation).collect(Collectors.toSet());
  }

  private void add(Replica replica, DatanodeInfo target, StorageType type) {
    moves.add(
        new ReplicaMove(
            replica.block(), replica.node(), replica.storageId(), replica.type(), target, type));
    wanted.remove(type);
    surplus.computeIfPresent(replica.type(), (t, count) -> count == 1 ? null : count - 1);
    holders.add(target);
    outcome.remove(replica.node());
    outcome.add(target);
  }

  List<ReplicaMove> moves() {
    return moves;
  }

  Set<Obstacle> obstacles() {
    return obstacles;
  }
}
