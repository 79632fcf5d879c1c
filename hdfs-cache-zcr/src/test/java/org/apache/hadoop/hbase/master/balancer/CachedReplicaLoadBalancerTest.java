package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.fastpath.zcr.pin.CachedBytes;
import org.junit.jupiter.api.Test;

/** Tests where it opens regions, and that it finds moves that random ones do not. */
class CachedReplicaLoadBalancerTest {
  private static final String MAX_STEPS = "hbase.master.balancer.stochastic.maxSteps";

  private final KnownLoadBalancer balancer =
      PlacedRegions.start(new KnownLoadBalancer(), KnownCostFunction.class, MAX_STEPS, "2000");

  @Test
  void findsMovesThatRandomOnesWouldNot() throws Exception {
    PlacedRegions regions = new PlacedRegions(40, 10);
    CachedBytes cached = regions.cachedFurther(7);
    KnownCostFunction.know(cached);
    PlacedRegions same = new PlacedRegions(40, 10);
    same.balance(
        PlacedRegions.start(
            new StochasticLoadBalancer(), KnownCostFunction.class, MAX_STEPS, "2000"));
    assertThat(same.beside(cached)).isLessThan(100);
    regions.balance(balancer);
    assertThat(regions.beside(cached)).isGreaterThan(300);
    assertThat(regions.placed().values()).allMatch(own -> own.size() == 10);
  }

  @Test
  void aRegionIsOpenedWhereItIsCached() throws Exception {
    PlacedRegions regions = new PlacedRegions(4, 0);
    RegionInfo region = regions.region(PlacedRegions.TABLE);
    balancer.know(cached("host002", region));
    Map<ServerName, List<RegionInfo>> plan =
        balancer.roundRobinAssignment(List.of(region), regions.servers());
    assertThat(plan).containsEntry(regions.servers().get(2), List.of(region));
    assertThat(balancer.randomAssignment(region, regions.servers()))
        .isEqualTo(regions.servers().get(2));
  }

  /** An exception would end the HMaster's only thread that assigns regions. */
  @Test
  void hBaseChoosesIfThereIsNoThreadToAskTheNameNode() throws Exception {
    PlacedRegions regions = new PlacedRegions(4, 0);
    RegionInfo region = regions.region(PlacedRegions.TABLE);
    balancer.fail(new OutOfMemoryError("unable to create native thread"));
    assertThat(balancer.roundRobinAssignment(List.of(region), regions.servers()).values())
        .contains(List.of(region));
    ServerName before = regions.servers().get(1);
    assertThat(balancer.retainAssignment(Map.of(region, before), regions.servers()))
        .containsEntry(before, List.of(region));
    assertThat(balancer.randomAssignment(region, List.of(before))).isEqualTo(before);
  }

  @Test
  void noServerGetsMoreThanItsPart() throws Exception {
    PlacedRegions regions = new PlacedRegions(4, 0);
    List<RegionInfo> cachedOnOne = new ArrayList<>();
    List<RegionInfo> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      cachedOnOne.add(regions.region(PlacedRegions.TABLE));
      all.add(regions.region(PlacedRegions.TABLE));
    }
    all.addAll(cachedOnOne);
    balancer.know(cached("host001", cachedOnOne.toArray(new RegionInfo[0])));
    Map<ServerName, List<RegionInfo>> plan = balancer.roundRobinAssignment(all, regions.servers());
    assertThat(plan.values()).allMatch(own -> own.size() == 5);
    assertThat(plan.values().stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(all);
    assertThat(cachedOnOne).containsAll(plan.get(regions.servers().get(1)));
  }

  @Test
  void regionsThatCanBeOpenedWhereTheyWereStayThere() throws Exception {
    PlacedRegions regions = new PlacedRegions(4, 0);
    RegionInfo known = regions.region(PlacedRegions.TABLE);
    RegionInfo orphan = regions.region(PlacedRegions.TABLE);
    balancer.know(cached("host003", known, orphan));
    Map<RegionInfo, ServerName> before = new HashMap<>();
    before.put(known, regions.servers().get(0));
    before.put(orphan, ServerName.valueOf("gone", 16020, 1));
    Map<ServerName, List<RegionInfo>> plan = balancer.retainAssignment(before, regions.servers());
    assertThat(plan).containsEntry(regions.servers().get(0), List.of(known));
    assertThat(plan).containsEntry(regions.servers().get(3), List.of(orphan));
  }

  @Test
  void regionsWithReplicasAreLeftToHBase() throws Exception {
    PlacedRegions regions = new PlacedRegions(2, 0);
    RegionInfo first = regions.replicatedRegion();
    RegionInfo second = regions.replicatedRegion();
    List<RegionInfo> both = List.of(first, second);
    balancer.know(CachedBytes.NONE);
    Map<ServerName, List<RegionInfo>> seen = new HashMap<>();
    // Round robin begins at a random server; cached bytes must not change that.
    for (int i = 0; i < 100 && seen.size() < 2; i++) {
      balancer.know(cached("host000", first));
      balancer
          .roundRobinAssignment(both, regions.servers())
          .forEach(
              (server, own) ->
                  own.stream().filter(first::equals).forEach(r -> seen.put(server, own)));
    }
    assertThat(seen).hasSize(2);
  }

  @Test
  void withoutKnowledgeItIsHBases() throws Exception {
    PlacedRegions regions = new PlacedRegions(4, 0);
    List<RegionInfo> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(regions.region(PlacedRegions.TABLE));
    }
    Map<ServerName, List<RegionInfo>> plan = balancer.roundRobinAssignment(all, regions.servers());
    assertThat(plan.values()).allMatch(own -> own.size() == 2 || own.size() == 3);
    assertThat(plan.values().stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(all);
  }

  private static CachedBytes cached(String host, RegionInfo... regions) {
    Map<String, Map<String, Long>> cached = new HashMap<>();
    for (RegionInfo region : regions) {
      cached.put(region.getEncodedName(), Map.of(host, PlacedRegions.REGION_BYTES));
    }
    return new CachedBytes(cached);
  }
}
