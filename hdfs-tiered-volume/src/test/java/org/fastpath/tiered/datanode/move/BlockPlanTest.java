package org.fastpath.tiered.datanode.move;

import static org.apache.hadoop.fs.StorageType.ARCHIVE;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.NVDIMM;
import static org.apache.hadoop.fs.StorageType.RAM_DISK;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.junit.jupiter.api.Test;

class BlockPlanTest {
  private static final long BYTES = 100;
  private static final BlockStoragePolicySuite SUITE = BlockStoragePolicySuite.createDefaultSuite();

  /** DataNodes a, b, c on rack /1, d, e on rack /2. */
  private final Map<String, DatanodeInfo> nodes = new LinkedHashMap<>();

  private final List<DatanodeStorageReport> reports = new ArrayList<>();
  private BlockType type = BlockType.CONTIGUOUS;

  private DatanodeInfo node(String name, String rack, StorageType... types) {
    DatanodeInfo node = info(name, rack);
    nodes.put(name, node);
    StorageReport[] storages =
        Arrays.stream(types).map(type -> storage(name, type, BYTES)).toArray(StorageReport[]::new);
    reports.add(new DatanodeStorageReport(node, storages));
    return node;
  }

  private static DatanodeInfo info(String name, String rack) {
    return new DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("127.0.0.1", name, name, 1, 2, 3, 4))
        .setNetworkLocation(rack)
        .build();
  }

  private static StorageReport storage(String node, StorageType type, long room) {
    return new StorageReport(
        new DatanodeStorage(node + type, DatanodeStorage.State.NORMAL, type),
        false,
        room,
        0,
        room,
        0,
        0);
  }

  private BlockPlan plan(String policy, Object... nodesAndTypes) {
    DatanodeInfoWithStorage[] locations = new DatanodeInfoWithStorage[nodesAndTypes.length / 2];
    for (int i = 0; i < locations.length; i++) {
      String name = (String) nodesAndTypes[2 * i];
      StorageType type = (StorageType) nodesAndTypes[2 * i + 1];
      locations[i] = new DatanodeInfoWithStorage(nodes.get(name), name + type, type);
    }
    return plan(policy(policy), locations);
  }

  private static BlockStoragePolicy policy(String name) {
    return SUITE.getPolicy(name);
  }

  private BlockPlan plan(BlockStoragePolicy policy, DatanodeInfoWithStorage... locations) {
    ExtendedBlock block = new ExtendedBlock("pool", 1, BYTES, 1);
    List<Replica> replicas =
        Arrays.stream(locations)
            .map(at -> new Replica(block, at, at.getStorageType(), at.getStorageID()))
            .toList();
    DatanodeStorageReport[] all = reports.toArray(DatanodeStorageReport[]::new);
    return BlockPlan.of(
        replicas,
        policy,
        3,
        new TargetVolumes(all),
        new PlacementRules(new Configuration(false), all).of(type));
  }

  /** Moves as in "a DISK to b SSD". */
  private static List<String> moves(BlockPlan plan) {
    return plan.moves().stream()
        .map(
            move ->
                move.source().getDatanodeUuid()
                    + " "
                    + move.from()
                    + " to "
                    + move.target().getDatanodeUuid()
                    + " "
                    + move.to())
        .sorted()
        .toList();
  }

  @Test
  void replicasStayOnTheirDataNodesWhereTheseHaveTheType() {
    node("a", "/1", DISK, SSD);
    node("b", "/1", DISK, SSD);
    node("d", "/2", DISK, SSD);
    node("e", "/2", DISK, SSD);
    BlockPlan plan = plan("ALL_SSD", "a", DISK, "b", DISK, "d", DISK);
    assertThat(moves(plan))
        .containsExactly("a DISK to a SSD", "b DISK to b SSD", "d DISK to d SSD");
    assertThat(plan.failureReasons()).isEmpty();
  }

  @Test
  void onlyTheOneThatHasTheTypeMovesWhenOneIsWanted() {
    node("a", "/1", DISK);
    node("b", "/1", DISK, SSD);
    node("d", "/2", DISK);
    assertThat(moves(plan("ONE_SSD", "a", DISK, "b", DISK, "d", DISK)))
        .containsExactly("b DISK to b SSD");
  }

  @Test
  void whatMatchesStays() {
    node("a", "/1", DISK, SSD);
    node("b", "/1", DISK, SSD);
    node("d", "/2", DISK, SSD);
    BlockPlan plan = plan("ONE_SSD", "a", DISK, "b", SSD, "d", DISK);
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.failureReasons()).isEmpty();
    assertThat(moves(plan("HOT", "a", SSD, "b", DISK, "d", DISK)))
        .containsExactly("a SSD to a DISK");
  }

  @Test
  void anotherDataNodeOfTheRackIsPreferred() {
    node("a", "/1", DISK);
    node("b", "/1", ARCHIVE);
    node("d", "/2", ARCHIVE);
    assertThat(moves(plan("COLD", "a", DISK))).containsExactly("a DISK to b ARCHIVE");
  }

  @Test
  void racksDoNotBecomeFewer() {
    node("a", "/1", DISK);
    node("b", "/1", DISK, SSD);
    node("c", "/1", SSD);
    node("d", "/2", DISK);
    BlockPlan plan = plan("ALL_SSD", "a", SSD, "b", SSD, "d", DISK);
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.failureReasons()).containsExactly(MoveFailureReason.NO_TARGET);
    node("e", "/2", SSD);
    assertThat(moves(plan("ALL_SSD", "a", SSD, "b", SSD, "d", DISK)))
        .containsExactly("d DISK to e SSD");
  }

  /** As the groups of erasure-coded files are, and replicas with some placement policies. */
  @Test
  void theSpreadOverMoreThanTwoRacksIsKept() {
    type = BlockType.STRIPED;
    node("a", "/1", DISK);
    node("b", "/2", DISK, SSD);
    node("c", "/3", DISK);
    node("d", "/2", SSD);
    BlockPlan plan = plan("ALL_SSD", "a", DISK, "b", SSD, "c", DISK);
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.failureReasons()).containsExactly(MoveFailureReason.NO_TARGET);
    assertThat(plan.full()).as("there is room, on the wrong rack").isEmpty();
    node("e", "/4", SSD);
    assertThat(moves(plan("ALL_SSD", "a", DISK, "b", SSD, "c", DISK)))
        .containsExactly("a DISK to e SSD");
  }

  @Test
  void aTypeWithoutRoomAnywhereIsFull() {
    node("a", "/1", DISK);
    node("b", "/1", SSD);
    assertThat(plan("ALL_NVDIMM", "a", DISK).full()).containsExactly(NVDIMM);
  }

  @Test
  void noDataNodeGetsTwoReplicas() {
    node("a", "/1", DISK);
    node("b", "/1", DISK);
    node("c", "/1", SSD, SSD);
    BlockPlan plan = plan("ALL_SSD", "a", DISK, "b", DISK);
    assertThat(plan.moves()).hasSize(1);
    assertThat(plan.failureReasons()).containsExactly(MoveFailureReason.NO_TARGET);
  }

  @Test
  void roomThatWasPlannedForIsNotPlannedForAgain() {
    node("a", "/1", DISK, SSD);
    TargetVolumes volumes = new TargetVolumes(reports.get(0));
    assertThat(volumes.reserve(nodes.get("a"), SSD, BYTES - 1)).isTrue();
    assertThat(volumes.reserve(nodes.get("a"), SSD, 2)).isFalse();
    assertThat(volumes.reserve(nodes.get("a"), SSD, 1)).isTrue();
    assertThat(volumes.reserve(nodes.get("a"), NVDIMM, 1)).isFalse();
    assertThat(volumes.reserve(info("z", "/1"), SSD, 1)).isFalse();
  }

  @Test
  void aDataNodeThatLeavesGetsNothing() {
    node("a", "/1", DISK);
    node("b", "/1", SSD).startDecommission();
    BlockPlan plan = plan("ALL_SSD", "a", DISK);
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.failureReasons()).containsExactly(MoveFailureReason.NO_TARGET);
  }

  @Test
  void aBlockWithoutReplicasIsAnObstacle() {
    BlockPlan plan = plan("ALL_SSD");
    assertThat(plan.failureReasons()).containsExactly(MoveFailureReason.NO_REPLICA);
  }

  @Test
  void aReplicaInMemoryIsLeftToTheDataNode() {
    node("a", "/1", DISK, SSD);
    node("b", "/1", DISK, SSD);
    node("d", "/2", DISK, SSD);
    BlockPlan lazy = plan("LAZY_PERSIST", "a", RAM_DISK, "b", DISK, "d", DISK);
    assertThat(lazy.moves()).isEmpty();
    assertThat(lazy.failureReasons()).isEmpty();
    BlockPlan renamed = plan("ALL_SSD", "a", RAM_DISK, "b", DISK, "d", SSD);
    assertThat(moves(renamed)).containsExactly("b DISK to b SSD");
    assertThat(renamed.failureReasons()).containsExactly(MoveFailureReason.IN_MEMORY);
  }

  /** Carrying plans out never makes a placement worse, and comes to an end. */
  @Test
  void plansLeadToWhereNothingIsToBeDone() {
    long seed = Long.getLong("seed", new Random().nextLong());
    Random random = new Random(seed);
    String[] names = {"HOT", "WARM", "COLD", "ONE_SSD", "ALL_SSD", "ALL_NVDIMM"};
    for (int i = 0; i < 1_000; i++) {
      nodes.clear();
      reports.clear();
      randomNodes(random);
      BlockStoragePolicy policy = policy(names[random.nextInt(names.length)]);
      carryOut("-Dseed=" + seed + " -> " + i, policy, randomReplicas(random));
    }
  }

  private void carryOut(
      String name, BlockStoragePolicy policy, List<DatanodeInfoWithStorage> first) {
    List<DatanodeInfoWithStorage> replicas = first;
    while (true) {
      BlockPlan plan = plan(policy, replicas.toArray(DatanodeInfoWithStorage[]::new));
      int misplaced = misplaced(policy, replicas);
      assertThat(plan.failureReasons().isEmpty())
          .as(name)
          .isEqualTo(plan.moves().size() == misplaced);
      if (plan.moves().isEmpty()) {
        return;
      }
      List<DatanodeInfoWithStorage> after = after(replicas, plan.moves());
      assertThat(new HashSet<>(after)).as(name).hasSize(replicas.size());
      assertThat(misplaced(policy, after)).as(name).isEqualTo(misplaced - plan.moves().size());
      assertThat(racks(after)).as(name).isGreaterThanOrEqualTo(racks(replicas));
      replicas = after;
    }
  }

  private void randomNodes(Random random) {
    StorageType[] types = {DISK, SSD, ARCHIVE, NVDIMM};
    for (int i = 0; i < 6; i++) {
      List<StorageType> some = new ArrayList<>(List.of(types));
      Collections.shuffle(some, random);
      node(
          "n" + i,
          "/" + random.nextInt(3),
          some.subList(0, 1 + random.nextInt(3)).toArray(StorageType[]::new));
    }
  }

  private List<DatanodeInfoWithStorage> randomReplicas(Random random) {
    List<DatanodeStorageReport> shuffled = new ArrayList<>(reports);
    Collections.shuffle(shuffled, random);
    List<DatanodeInfoWithStorage> replicas = new ArrayList<>();
    for (DatanodeStorageReport report : shuffled.subList(0, 3)) {
      StorageReport[] storages = report.getStorageReports();
      DatanodeStorage storage = storages[random.nextInt(storages.length)].getStorage();
      replicas.add(
          new DatanodeInfoWithStorage(
              report.getDatanodeInfo(), storage.getStorageID(), storage.getStorageType()));
    }
    return replicas;
  }

  private static List<DatanodeInfoWithStorage> after(
      List<DatanodeInfoWithStorage> before, List<ReplicaMove> moves) {
    Map<String, DatanodeInfoWithStorage> byStorage = new TreeMap<>();
    before.forEach(replica -> byStorage.put(replica.getStorageID(), replica));
    for (ReplicaMove move : moves) {
      byStorage.remove(move.storageId());
      String id = move.target().getDatanodeUuid() + move.to();
      byStorage.put(id, new DatanodeInfoWithStorage(move.target(), id, move.to()));
    }
    return List.copyOf(byStorage.values());
  }

  /** Returns how many replicas are on types of which the policy does not want so many. */
  private static int misplaced(BlockStoragePolicy policy, List<DatanodeInfoWithStorage> replicas) {
    Map<StorageType, Integer> wanted = new HashMap<>();
    policy.chooseStorageTypes((short) 3).forEach(type -> wanted.merge(type, 1, Integer::sum));
    int misplaced = 0;
    for (DatanodeInfoWithStorage replica : replicas) {
      misplaced += wanted.merge(replica.getStorageType(), -1, Integer::sum) < 0 ? 1 : 0;
    }
    return misplaced;
  }

  private static int racks(List<DatanodeInfoWithStorage> replicas) {
    Set<String> racks = new HashSet<>();
    replicas.forEach(replica -> racks.add(replica.getNetworkLocation()));
    return racks.size();
  }
}
