package org.apache.hadoop.hbase.master.balancer;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.fastpath.zcr.pin.CachedBytes;

/** Servers, each on a host of its own, with regions of one table; a balancer for them. */
final class PlacedRegions {
  static final TableName TABLE = TableName.valueOf("t");
  static final long REGION_BYTES = 1_000;
  private static final TableName REPLICATED = TableName.valueOf("replicated");

  /** That of all servers; Hadoop's own would look for the hosts by DNS. */
  public static final class OneRack implements DNSToSwitchMapping {
    /** Called by HBase. */
    public OneRack(Configuration conf) {}

    @Override
    public List<String> resolve(List<String> names) {
      return Collections.nCopies(names.size(), "/rack");
    }

    @Override
    public void reloadCachedMappings() {}

    @Override
    public void reloadCachedMappings(List<String> names) {}
  }

  private final List<ServerName> servers = new ArrayList<>();
  private final Map<ServerName, List<RegionInfo>> placed = new TreeMap<>();
  private int regions;

  PlacedRegions(int servers, int regionsEach) {
    for (int i = 0; i < servers; i++) {
      ServerName server = ServerName.valueOf(String.format("Host%03d", i), 16020, 1);
      this.servers.add(server);
      placed.put(server, new ArrayList<>());
      for (int j = 0; j < regionsEach; j++) {
        placed.get(server).add(region(TABLE));
      }
    }
  }

  RegionInfo region(TableName table) {
    regions++;
    return RegionInfoBuilder.newBuilder(table)
        .setStartKey(Bytes.toBytes(regions))
        .setEndKey(Bytes.toBytes(regions + 1))
        .setRegionId(regions)
        .build();
  }

  /** One of a table with region replicas. */
  RegionInfo replicatedRegion() {
    return region(REPLICATED);
  }

  List<ServerName> servers() {
    return servers;
  }

  Map<ServerName, List<RegionInfo>> placed() {
    return placed;
  }

  BalancerClusterState state() {
    return new BalancerClusterState(placed, null, null, null);
  }

  /** Each region on the host that comes so many after its own. */
  CachedBytes cachedFurther(int hosts) {
    Map<String, Map<String, Long>> cached = new HashMap<>();
    for (int i = 0; i < servers.size(); i++) {
      String host = servers.get((i + hosts) % servers.size()).getHostnameLowerCase();
      for (RegionInfo region : placed.get(servers.get(i))) {
        cached.put(region.getEncodedName(), Map.of(host, REGION_BYTES));
      }
    }
    return new CachedBytes(cached);
  }

  /** Regions that are where something of them is cached. */
  long beside(CachedBytes cached) {
    return placed.entrySet().stream()
        .mapToLong(
            entry ->
                entry.getValue().stream()
                    .map(region -> cached.of(region.getEncodedName()))
                    .filter(hosts -> hosts.containsKey(entry.getKey().getHostnameLowerCase()))
                    .count())
        .sum();
  }

  /** Balances once; returns how many regions have moved. */
  int balance(StochasticLoadBalancer balancer) throws Exception {
    List<RegionPlan> plans = balancer.balanceCluster(Map.of(TABLE, placed));
    if (plans == null) {
      return 0;
    }
    for (RegionPlan plan : plans) {
      placed.get(plan.getSource()).remove(plan.getRegionInfo());
      placed.get(plan.getDestination()).add(plan.getRegionInfo());
    }
    return plans.size();
  }

  /** Returns a balancer that knows no block locations, with cost functions beside HBase's. */
  static <B extends BaseLoadBalancer> B start(B balancer, Class<?> function, String... settings) {
    Configuration conf = HBaseConfiguration.create();
    conf.setBoolean("hbase.master.balancer.uselocality", false);
    conf.setClass("hbase.util.ip.to.rack.determiner", OneRack.class, DNSToSwitchMapping.class);
    conf.set("hbase.master.balancer.stochastic.localityCost", "0");
    conf.set("hbase.master.balancer.stochastic.rackLocalityCost", "0");
    conf.set("hbase.master.balancer.stochastic.additionalCostFunctions", function.getName());
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    balancer.setMasterServices(services(conf));
    balancer.initialize();
    return balancer;
  }

  private static MasterServices services(Configuration conf) {
    Map<TableName, TableDescriptor> tables =
        Map.of(
            TABLE,
            TableDescriptorBuilder.newBuilder(TABLE).build(),
            REPLICATED,
            TableDescriptorBuilder.newBuilder(REPLICATED).setRegionReplication(2).build());
    TableDescriptors descriptors =
        fake(
            TableDescriptors.class,
            (proxy, method, arguments) ->
                method.getName().equals("get") ? tables.get(arguments[0]) : Map.of());
    return fake(
        MasterServices.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "getConfiguration" -> conf;
              case "getServerName" -> ServerName.valueOf("master", 16000, 1);
              case "getTableDescriptors" -> descriptors;
              default -> null;
            });
  }

  private static <T> T fake(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
