package org.apache.hadoop.hbase.master.balancer;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.fastpath.zcr.pin.CachedLocality;

/**
 * Suggests moves of regions to the servers with the most of their bytes in local locked memory. The
 * target has fewer regions than the mean, or swaps a region that loses less. In a large cluster,
 * random moves would rarely find these.
 */
class CachedReplicaCandidateGenerator extends CandidateGenerator {
  private final Supplier<CachedLocality> localities;

  CachedReplicaCandidateGenerator(Supplier<CachedLocality> localities) {
    this.localities = localities;
  }

  @Override
  BalanceAction generate(BalancerClusterState cluster) {
    CachedLocality locality = localities.get();
    if (!locality.matters()) {
      return BalanceAction.NULL_ACTION;
    }
    int start = ThreadLocalRandom.current().nextInt(cluster.numRegions);
    for (int i = 0; i < cluster.numRegions; i++) {
      BalanceAction action = improve(cluster, locality, (start + i) % cluster.numRegions);
      if (action.getType() != BalanceAction.Type.NULL) {
        return action;
      }
    }
    return BalanceAction.NULL_ACTION;
  }

  private BalanceAction improve(BalancerClusterState cluster, CachedLocality locality, int region) {
    int from = cluster.regionIndexToServerIndex[region];
    int to = locality.mostCached(region);
    long gain = to < 0 ? 0 : locality.bytes(region, to) - locality.bytes(region, from);
    if (gain == 0) {
      return BalanceAction.NULL_ACTION;
    }
    if (cluster.serverHasTooFewRegions(to)) {
      return getAction(from, region, to, -1);
    }
    int[] others = cluster.regionsPerServer[to];
    int start = others.length == 0 ? 0 : ThreadLocalRandom.current().nextInt(others.length);
    for (int i = 0; i < others.length; i++) {
      int other = others[(start + i) % others.length];
      if (locality.bytes(other, to) - locality.bytes(other, from) < gain) {
        return getAction(from, region, to, other);
      }
    }
    return BalanceAction.NULL_ACTION;
  }
}
