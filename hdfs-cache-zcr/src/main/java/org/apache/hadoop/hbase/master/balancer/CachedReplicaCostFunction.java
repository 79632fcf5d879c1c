package org.apache.hadoop.hbase.master.balancer;

import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.fastpath.zcr.pin.CachedBytes;
import org.fastpath.zcr.pin.CachedLocality;
import org.fastpath.zcr.pin.CachedReplicas;

/**
 * Makes HBase's balancer prefer, for a region, the server whose local DataNode has its store files
 * in locked memory. HMasters install it by:
 *
 * <pre>{@code
 * hbase.master.balancer.stochastic.additionalCostFunctions =
 *     org.apache.hadoop.hbase.master.balancer.CachedReplicaCostFunction
 * }</pre>
 *
 * <p>Its cost is the part of the bytes in locked memory that could be local to their regions and
 * are not. Its default weight is 25, the same as that of HBase's locality. Both costs are parts of
 * a whole, and the whole here is only the pinned bytes. So the fewer bytes are pinned, the more a
 * pinned byte outweighs a byte that is only local. Both weights stay far below that of region
 * counts, 500. Only primary region replicas count, because pins follow their reads.
 *
 * <p>While nothing is in locked memory, or the NameNode does not answer, the balancer goes on
 * without it. The class is in this package because cost functions are package-private.
 *
 * <p>Not thread-safe, like its balancer.
 */
public class CachedReplicaCostFunction extends CostFunction {
  static final String COST_KEY = "hbase.master.balancer.stochastic.fastpathCachedReplicaCost";
  static final float DEFAULT_COST = 25;

  private final CachedReplicas replicas;
  private CachedLocality locality = CachedLocality.NONE;

  /** Called by HBase. */
  public CachedReplicaCostFunction(Configuration conf) {
    replicas = CachedReplicas.of(conf);
    setMultiplier(CachedReplicas.multiplier(conf, COST_KEY, DEFAULT_COST));
  }

  CachedBytes cached() {
    return replicas.ask();
  }

  /** Returns the locality in the cluster that is being balanced. */
  CachedLocality locality() {
    return locality;
  }

  @Override
  void prepare(BalancerClusterState cluster) {
    super.prepare(cluster);
    locality =
        new CachedLocality(
            getMultiplier() > 0 ? cached() : CachedBytes.NONE,
            Arrays.stream(cluster.regions).map(CachedReplicaCostFunction::name).toList(),
            Arrays.stream(cluster.servers).map(ServerName::getHostnameLowerCase).toList());
    for (int region = 0; region < cluster.numRegions; region++) {
      locality.move(region, -1, cluster.regionIndexToServerIndex[region]);
    }
  }

  /** Returns the name by which cached bytes are known; for a secondary replica, an unused name. */
  private static String name(RegionInfo region) {
    return RegionReplicaUtil.isDefaultReplica(region) ? region.getEncodedName() : "";
  }

  @Override
  boolean isNeeded() {
    return locality.matters();
  }

  @Override
  protected void regionMoved(int region, int oldServer, int newServer) {
    locality.move(region, oldServer, newServer);
  }

  @Override
  protected double cost() {
    return locality.cost();
  }

  /** Requests candidates from our generator if the balancer has it, and random ones. */
  @Override
  public void updateWeight(Map<Class<? extends CandidateGenerator>, Double> weights) {
    weights.computeIfPresent(
        CachedReplicaCandidateGenerator.class, (generator, weight) -> weight + cost());
    super.updateWeight(weights);
  }
}
