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
 * HBase's stochastic balancer, which opens regions that need a new server, one of a server that
 * died for instance, where DataNodes have their store files in locked memory; and which looks for
 * moves that {@link CachedReplicaCostFunction} wants. For HMasters, beside that function:
 *
 * <pre>{@code
 * hbase.master.loadbalancer.class =
 *     org.apache.hadoop.hbase.master.balancer.CachedReplicaLoadBalancer
 * }</pre>
 *
 * <p>It changes what HBase has chosen: a region that HBase opens where it was stays there, no
 * server gets more regions than the one that would have got the most, and regions of a table with
 * region replicas are left where HBase keeps these apart. It never waits for the NameNode, but goes
 * by what was known last.
 *
 * <p>Thread-safe as HBase's is.
 */
public class CachedReplicaLoadBalancer extends StochasticLoadBalancer {
  private volatile CachedReplicas replicas;

  /** For HBase. */
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
    return improve(super.roundRobinAssignment(regions, servers), region -> true);
  }

  @Override
  public Map<ServerName, List<RegionInfo>> retainAssignment(
      Map<RegionInfo, ServerName> regions, List<ServerName> servers) throws HBaseIOException {
    Map<ServerName, List<RegionInfo>> plan = super.retainAssignment(regions, servers);
    Set<String> hosts =
        plan.keySet().stream().map(ServerName::getHostnameLowerCase).collect(Collectors.toSet());
    return improve(plan, region -> !isOn(hosts, regions.get(region)));
  }

  private static boolean isOn(Set<String> hosts, ServerName server) {
    return server != null && hosts.contains(server.getHostnameLowerCase());
  }

  private Map<ServerName, List<RegionInfo>> improve(
      Map<ServerName, List<RegionInfo>> plan, Predicate<RegionInfo> movable) {
    CachedBytes cached = cached();
    // An HMaster that is a RegionServer too, as it could once be, has regions of its own choice.
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

  /** Whether it is of a table without region replicas. */
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
    return super.randomAssignment(region, preferred(region, servers));
  }

  /**
   * The servers beside which the most of a region is in locked memory; all, if it is beside none.
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
