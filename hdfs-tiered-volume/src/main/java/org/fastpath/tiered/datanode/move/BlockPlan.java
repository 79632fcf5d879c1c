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
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Plans the moves that bring the replicas of one block to the types of its policy.
 *
 * <p>Only surplus replicas of a type move. Replicas that find a wanted type on their own DataNode
 * move first: no byte crosses the network, and the set of DataNodes does not change. Then the plan
 * tries other DataNodes, those of the source's rack first. HDFS's own placement policy must allow
 * them. The policy's fallback types are not used: they apply to writes, not to the final place of a
 * file.
 *
 * <p>Not thread-safe.
 */
final class BlockPlan {
  private final TargetVolumes volumes;
  private final PlacementRule rule;

  /** The types that no replica has yet. */
  private final List<StorageType> wanted;

  /** The number of surplus replicas of each type. */
  private final Map<StorageType, Integer> surplus = new EnumMap<>(StorageType.class);

  /** The replicas that may leave. */
  private final List<Replica> replicas;

  /** DataNodes that have a replica, or get or lose one by this plan. They are no targets. */
  private final Set<DatanodeInfo> holders = new HashSet<>();

  /** DataNodes that have a replica after the plan was carried out. */
  private final Set<DatanodeInfo> outcome = new HashSet<>();

  private final List<ReplicaMove> moves = new ArrayList<>();
  private final Set<StorageType> full = EnumSet.noneOf(StorageType.class);
  private final Set<MoveFailureReason> failureReasons = EnumSet.noneOf(MoveFailureReason.class);

  private BlockPlan(
      List<Replica> replicas,
      BlockStoragePolicy policy,
      int replication,
      TargetVolumes volumes,
      PlacementRule rule) {
    this.volumes = volumes;
    this.rule = rule;
    this.replicas = new ArrayList<>(replicas);
    wanted = policy.chooseStorageTypes((short) replication);
    for (Replica replica : replicas) {
      holders.add(replica.node());
      if (!wanted.remove(replica.type())) {
        surplus.merge(replica.type(), 1, Integer::sum);
      }
    }
    outcome.addAll(holders);
    // The DataNode itself writes out a replica that its policy keeps in memory.
    Arrays.stream(policy.getStorageTypes())
        .filter(StorageType::isTransient)
        .forEach(surplus::remove);
  }

  /** Plans the moves of one block and reserves the room for them. */
  static BlockPlan of(
      List<Replica> replicas,
      BlockStoragePolicy policy,
      int replication,
      TargetVolumes volumes,
      PlacementRule rule) {
    BlockPlan plan = new BlockPlan(replicas, policy, replication, volumes, rule);
    if (replicas.isEmpty()) {
      plan.failureReasons.add(MoveFailureReason.NO_REPLICA);
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
      failureReasons.add(MoveFailureReason.NO_TARGET);
      wanted.stream().filter(type -> !volumes.anyRoom(type, bytes())).forEach(full::add);
    }
    if (!wanted.isEmpty() && inMemory) {
      failureReasons.add(MoveFailureReason.IN_MEMORY);
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
        || moveTo(replica, node -> !node.getNetworkLocation().equals(rack));
  }

  private boolean moveTo(Replica replica, Predicate<DatanodeInfo> allowed) {
    for (StorageType type : wanted) {
      Optional<DatanodeInfo> target =
          volumes.reserveOn(
              node -> !holders.contains(node) && allowed.test(node) && isGood(replica, node),
              type,
              replica.block().getNumBytes());
      if (target.isPresent()) {
        add(replica, target.get(), type);
        return true;
      }
    }
    return false;
  }

  private boolean isGood(Replica leaving, DatanodeInfo coming) {
    return rule.allows(outcome, leaving.node(), coming);
  }

  private long bytes() {
    return replicas.stream().mapToLong(replica -> replica.block().getNumBytes()).max().orElse(0);
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

  Set<MoveFailureReason> failureReasons() {
    return failureReasons;
  }

  /** Returns the wanted types without room on any DataNode. */
  Set<StorageType> full() {
    return full;
  }
}
