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
 * Has HBase's balancer prefer, for a region, the server beside which DataNodes have its store files
 * in locked memory. For HMasters:
 *
 * <pre>{@code
 * hbase.master.balancer.stochastic.additionalCostFunctions =
 *     org.apache.hadoop.hbase.master.balancer.CachedReplicaCostFunction
 * }</pre>
 *
 * <p>Its cost is the part of the bytes in locked memory that could be beside their regions and are
 * not. It weighs as much as the locality of servers does by default, 25: either says which part of
 * what could be local is, this one of the pinned bytes alone. So a byte that is pinned outweighs
 * one that is only local by as many times as fewer bytes are pinned, and both stay far below what
 * evens out the number of regions, 500. Region replicas other than the first do not count, since
 * what is pinned follows the reads of the first.
 *
 * <p>While nothing is in locked memory, or the NameNode does not answer, it is not needed, as HBase
 * calls it: the balancer goes on without it. In this package because cost functions are
 * package-private.
 *
 * <p>Not thread-safe, as its balancer is not.
 */
public class CachedReplicaCostFunction extends CostFunction {
  static final String COST_KEY = "hbase.master.balancer.stochastic.fastpathCachedReplicaCost";
  static final float DEFAULT_COST = 25;

  private final CachedReplicas replicas;
  private CachedLocality locality = CachedLocality.NONE;

  /** For HBase. */
  public CachedReplicaCostFunction(Configuration conf) {
    replicas = CachedReplicas.of(conf);
    setMultiplier(CachedReplicas.multiplier(conf, COST_KEY, DEFAULT_COST));
  }

  CachedBytes cached() {
    return replicas.ask();
  }

  /** Of the cluster that is being balanced. */
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

  /** That by which cached bytes are known; of a replica that does not count, one that none has. */
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

  /** Asks for the balancer's own way to find such moves where it has one, and for random ones. */
  @Override
  public void updateWeight(Map<Class<? extends CandidateGenerator>, Double> weights) {
    weights.computeIfPresent(
        CachedReplicaCandidateGenerator.class, (generator, weight) -> weight + cost());
    super.updateWeight(weights);
  }
}
