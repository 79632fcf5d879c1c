package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.fastpath.zcr.pin.CachedBytes;
import org.junit.jupiter.api.Test;

/** In HBase's balancer, and on its state of a cluster. */
class CachedReplicaCostFunctionTest {
  private static final Configuration DEFAULTS = HBaseConfiguration.create();

  /** To look for moves even where all is well. */
  private static final String[] ALWAYS = {
    "hbase.master.balancer.stochastic.minCostNeedBalance", "0"
  };

  @Test
  void regionsMoveToTheHostsThatCacheThem() throws Exception {
    PlacedRegions regions = new PlacedRegions(4, 6);
    CachedBytes cached = regions.cachedFurther(1);
    KnownCostFunction.know(cached);
    assertThat(regions.beside(cached)).isZero();
    StochasticLoadBalancer balancer = balancer();
    assertThat(regions.balance(balancer)).isEqualTo(24);
    assertThat(regions.beside(cached)).isEqualTo(24);
    assertThat(regions.placed().values()).allMatch(own -> own.size() == 6);
    assertThat(regions.balance(balancer)).isZero();
  }

  @Test
  void nothingMovesWhenAllIsBest() throws Exception {
    PlacedRegions regions = new PlacedRegions(4, 6);
    KnownCostFunction.know(regions.cachedFurther(0));
    assertThat(regions.balance(balancer(ALWAYS))).isZero();
  }

  @Test
  void nothingMovesWhenNothingIsKnown() throws Exception {
    PlacedRegions regions = new PlacedRegions(4, 6);
    KnownCostFunction.know(CachedBytes.NONE);
    assertThat(regions.balance(balancer(ALWAYS))).isZero();
    CachedReplicaCostFunction function = prepared(regions.state());
    assertThat(function.isNeeded()).isFalse();
    assertThat(function.cost()).isZero();
  }

  @Test
  void withoutAMultiplierNothingIsAsked() {
    PlacedRegions regions = new PlacedRegions(4, 6);
    KnownCostFunction.know(regions.cachedFurther(1));
    for (String multiplier : List.of("0", "-1", "much")) {
      Configuration conf = new Configuration(DEFAULTS);
      conf.set(CachedReplicaCostFunction.COST_KEY, multiplier);
      CachedReplicaCostFunction function = new KnownCostFunction(conf);
      function.prepare(regions.state());
      assertThat(function.getMultiplier()).isZero();
      assertThat(function.isNeeded()).isFalse();
    }
  }

  @Test
  void costIsThePartThatIsNotBesideItsRegion() {
    PlacedRegions regions = new PlacedRegions(2, 2);
    List<RegionInfo> first = regions.placed().get(regions.servers().get(0));
    KnownCostFunction.know(
        new CachedBytes(
            Map.of(
                first.get(0).getEncodedName(), Map.of("host000", 100L, "host001", 300L),
                first.get(1).getEncodedName(), Map.of("host000", 100L, "elsewhere", 900L))));
    BalancerClusterState state = regions.state();
    CachedReplicaCostFunction function = prepared(state);
    assertThat(function.cost()).isEqualTo(1 - 200.0 / 400);
    act(state, function, new MoveRegionAction(state.regionsToIndex.get(first.get(0)), 0, 1));
    assertThat(function.cost()).isZero();
    act(state, function, new MoveRegionAction(state.regionsToIndex.get(first.get(1)), 0, 1));
    assertThat(function.cost()).isEqualTo(1 - 300.0 / 400);
  }

  @Test
  void replicasOfARegionDoNotCount() {
    PlacedRegions regions = new PlacedRegions(2, 1);
    CachedBytes cached = regions.cachedFurther(0);
    KnownCostFunction.know(cached);
    RegionInfo primary = regions.placed().get(regions.servers().get(0)).get(0);
    RegionInfo replica = RegionReplicaUtil.getRegionInfoForReplica(primary, 1);
    regions.placed().get(regions.servers().get(1)).add(replica);
    CachedReplicaCostFunction function = prepared(regions.state());
    assertThat(function.cost()).isZero();
    assertThat(function.isNeeded()).isTrue();
  }

  @Test
  void costAfterRandomActionsIsThatComputedAnew() {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    PlacedRegions regions = new PlacedRegions(8, 10);
    ServerName second = ServerName.valueOf(regions.servers().get(3).getHostname(), 16021, 1);
    regions.placed().put(second, new ArrayList<>());
    List<RegionInfo> unassigned = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      unassigned.add(regions.region(PlacedRegions.TABLE));
    }
    BalancerClusterState state =
        new BalancerClusterState(unassigned, regions.placed(), null, null, null, null);
    KnownCostFunction.know(random(state, random));
    CachedReplicaCostFunction function = prepared(state);
    CachedReplicaCostFunction anew = prepared(state);
    for (int i = 0; i < 500; i++) {
      BalanceAction action = action(state, random);
      act(state, function, action);
      if (random.nextBoolean() && action.getType() != BalanceAction.Type.ASSIGN_REGION) {
        act(state, function, action.undoAction());
      }
      anew.prepare(state);
      assertThat(function.cost()).isEqualTo(anew.cost()).isBetween(0.0, 1.0);
    }
  }

  private static CachedBytes random(BalancerClusterState state, Random random) {
    Map<String, Map<String, Long>> cached = new HashMap<>();
    for (RegionInfo region : state.regions) {
      Map<String, Long> hosts = new HashMap<>();
      for (int replicas = random.nextInt(4); replicas > 0; replicas--) {
        ServerName server = state.servers[random.nextInt(state.numServers)];
        hosts.put(server.getHostnameLowerCase(), random.nextLong(1L << 40));
      }
      cached.put(region.getEncodedName(), hosts);
    }
    return new CachedBytes(cached);
  }

  private static BalanceAction action(BalancerClusterState state, Random random) {
    int region = random.nextInt(state.numRegions);
    int from = state.regionIndexToServerIndex[region];
    int other = random.nextInt(state.numRegions);
    int to = state.regionIndexToServerIndex[other];
    if (from < 0) {
      return new AssignRegionAction(region, random.nextInt(state.numServers));
    }
    return to < 0 || to == from || random.nextBoolean()
        ? new MoveRegionAction(region, from, random.nextInt(state.numServers))
        : new SwapRegionsAction(from, region, to, other);
  }

  private static void act(
      BalancerClusterState state, CachedReplicaCostFunction function, BalanceAction action) {
    state.doAction(action);
    function.postAction(action);
  }

  private static CachedReplicaCostFunction prepared(BalancerClusterState state) {
    CachedReplicaCostFunction function = new KnownCostFunction(DEFAULTS);
    function.prepare(state);
    return function;
  }

  private static StochasticLoadBalancer balancer(String... settings) {
    return PlacedRegions.start(new StochasticLoadBalancer(), KnownCostFunction.class, settings);
  }
}
