package org.apache.hadoop.hbase.master.balancer;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.fastpath.zcr.pin.CachedBytes;
import org.fastpath.zcr.pin.CachedLocality;
import org.fastpath.zcr.pin.CachedPlacement;
import org.fastpath.zcr.pin.CachedReplicas;

/**
 * HBase's stochastic balancer with two additions. It opens a region that needs a new server where
 * the local DataNode has its store files in locked memory. It also searches moves that {@link
 * CachedReplicaCostFunction} prefers. HMasters install it with that function:
 *
 * <pre>{@code
 * hbase.master.loadbalancer.class =
 *     org.apache.hadoop.hbase.master.balancer.CachedReplicaLoadBalancer
 * }</pre>
 *
 * <p>It modifies HBase's choice within limits. A region that HBase opens at its old place stays
 * there. No server gets more regions than the maximum of HBase's choice. Regions of a table with
 * region replicas stay where HBase puts them. It never waits for the NameNode and uses the last
 * known state. If it fails, HBase's choice stays, because an exception here would end the HMaster's
 * only thread that assigns regions.
 *
 * <p>Thread-safe like HBase's balancer.
 */
public class CachedReplicaLoadBalancer extends StochasticLoadBalancer {
  private volatile CachedReplicas replicas;

  /** Called by HBase. */
  public CachedReplicaLoadBalancer() {}

  @Override
  protected void loadConf(Configuration conf) {
    replicas = CachedReplicas.of(conf);
    super.loadConf(conf);
  }

  CachedBytes cached() {
    return replicas.recent();
  }

  @Override
  protected Map<Class<? extends CandidateGenerator>, CandidateGenerator>
      createCandidateGenerators() {
    Map<Class<? extends CandidateGenerator>, CandidateGenerator> generators =
        super.createCandidateGenerators();
    generators.put(
        CachedReplicaCandidateGenerator.class, new CachedReplicaCandidateGenerator(this::locality));
    return generators;
  }

  private CachedLocality locality() {
    return costFunctions.stream()
        .filter(CachedReplicaCostFunction.class::isInstance)
        .findFirst()
        .map(function -> ((CachedReplicaCostFunction) function).locality())
        .orElse(CachedLocality.NONE);
  }

  @Override
  public Map<ServerName, List<RegionInfo>> roundRobinAssignment(
      List<RegionInfo> regions, List<ServerName> servers) throws HBaseIOException {
    Map<ServerName, List<RegionInfo>> plan = super.roundRobinAssignment(regions, servers);
    return replicas.orElse(plan, () -> improve(plan, region -> true));
  }

  @Override
  public Map<ServerName, List<RegionInfo>> retainAssignment(
      Map<RegionInfo, ServerName> regions, List<ServerName> servers) throws HBaseIOException {
    Map<ServerName, List<RegionInfo>> plan = super.retainAssignment(regions, servers);
    return replicas.orElse(
        plan,
        () -> {
          Set<String> hosts =
              plan.keySet().stream()
                  .map(ServerName::getHostnameLowerCase)
                  .collect(Collectors.toSet());
          return improve(plan, region -> !isOn(hosts, regions.get(region)));
        });
  }

  private static boolean isOn(Set<String> hosts, ServerName server) {
    return server != null && hosts.contains(server.getHostnameLowerCase());
  }

  private Map<ServerName, List<RegionInfo>> improve(
      Map<ServerName, List<RegionInfo>> plan, Predicate<RegionInfo> movable) {
    CachedBytes cached = cached();
    // In old versions an HMaster can also serve regions, which it chooses itself.
    if (cached.isEmpty() || plan.size() < 2 || plan.containsKey(masterServerName)) {
      return plan;
    }
    return CachedPlacement.improve(
        plan,
        (region, server) -> bytes(cached, region, server),
        region -> movable.test(region) && isAlone(region));
  }

  private static long bytes(CachedBytes cached, RegionInfo region, ServerName server) {
    return cached.of(region.getEncodedName()).getOrDefault(server.getHostnameLowerCase(), 0L);
  }

  /** Returns whether its table has no region replicas. */
  private boolean isAlone(RegionInfo region) {
    try {
      TableDescriptor table = services.getTableDescriptors().get(region.getTable());
      return table != null && table.getRegionReplication() == 1;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public ServerName randomAssignment(RegionInfo region, List<ServerName> servers)
      throws HBaseIOException {
    return super.randomAssignment(
        region, replicas.orElse(servers, () -> preferred(region, servers)));
  }

  /**
   * Returns the servers with the most of a region in local locked memory; all servers if none has
   * any.
   */
  private List<ServerName> preferred(RegionInfo region, List<ServerName> servers) {
    CachedBytes cached = cached();
    if (servers == null || cached.of(region.getEncodedName()).isEmpty() || !isAlone(region)) {
      return servers;
    }
    long most = servers.stream().mapToLong(server -> bytes(cached, region, server)).max().orElse(0);
    return servers.stream().filter(server -> bytes(cached, region, server) == most).toList();
  }
}
