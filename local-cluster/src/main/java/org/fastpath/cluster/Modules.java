package org.fastpath.cluster;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The feature modules for {@link ClusterBuilder#fastpath}, with the daemons that get the jar and
 * the keys. A RegionServer needs only sizes, because its class sets the other keys.
 */
public enum Modules {
  /** Checksums of HBase and HDFS by the JVM's own intrinsics. */
  CHECKSUM("hbase-native-checksum", Role.REGIONSERVER, Role.MASTER, Role.DATANODE),
  /** Counts and latencies of every region and table. */
  METRICS("hbase-metrics2-shim", Role.REGIONSERVER),
  /** The off-heap block cache. */
  CACHE("hbase-offheap-read", Role.REGIONSERVER) {
    @Override
    Map<String, String> conf(Role role, FastpathSizes sizes) {
      return role == Role.REGIONSERVER ? cache(sizes) : Map.of();
    }

    @Override
    List<String> jvmFlags(Role role, FastpathSizes sizes) {
      return role == Role.REGIONSERVER ? directMemory(sizes) : List.of();
    }
  },
  /** The off-heap reader and lean scans; brings the cache, which holds the reader's indexes. */
  READER("hbase-offheap-read", Role.REGIONSERVER) {
    @Override
    Map<String, String> conf(Role role, FastpathSizes sizes) {
      return role == Role.REGIONSERVER ? cache(sizes) : Map.of();
    }

    @Override
    List<String> jvmFlags(Role role, FastpathSizes sizes) {
      return role == Role.REGIONSERVER ? directMemory(sizes) : List.of();
    }
  },
  /**
   * Zero-copy reads, mapped blocks, pinning, the read warm-up, and balancing by locked replicas.
   */
  ZCR("hdfs-cache-zcr", Role.REGIONSERVER, Role.MASTER) {
    @Override
    Map<String, String> conf(Role role, FastpathSizes sizes) {
      return switch (role) {
        case REGIONSERVER -> Map.of(PIN_LIMIT, Long.toString(sizes.pinnedBytes()));
        case MASTER ->
            Map.of(
                "hbase.master.balancer.stochastic.additionalCostFunctions",
                BALANCER + "CachedReplicaCostFunction",
                "hbase.master.loadbalancer.class",
                BALANCER + "CachedReplicaLoadBalancer",
                PIN_LIMIT,
                Long.toString(sizes.pinnedBytes()));
        case DATANODE ->
            Map.of(
                "dfs.datanode.max.locked.memory",
                Long.toString(sizes.lockedBytes()),
                "dfs.cachereport.intervalMsec",
                CACHING_MILLIS);
        case NAMENODE ->
            Map.of("dfs.namenode.path.based.cache.refresh.interval.ms", CACHING_MILLIS);
        default -> Map.of();
      };
    }
  },
  /** DataNodes choose volumes by latency; the dataset with patient locks. */
  VOLUMES("hdfs-tiered-volume", Role.DATANODE) {
    @Override
    Map<String, String> conf(Role role, FastpathSizes sizes) {
      return role == Role.DATANODE
          ? Map.of(
              "dfs.datanode.fsdataset.volume.choosing.policy",
              DATANODES + "LatencyAwareVolumeChoosingPolicy",
              "dfs.datanode.fsdataset.factory",
              DATANODES + "TieredDatasetFactory")
          : Map.of();
    }
  },
  /** Rules for the tiers of store files, their keeper and mover, and the guard of tiers. */
  TIERS("hdfs-tiered-volume", Role.REGIONSERVER, Role.MASTER, Role.NAMENODE) {
    @Override
    Map<String, String> conf(Role role, FastpathSizes sizes) {
      return role == Role.MASTER
          ? Map.of(
              "hbase.coprocessor.master.classes",
              TIERED + "TierRulesChecker," + TIERED + "TierKeeper")
          : Map.of();
    }
  };

  /** All modules, for {@link ClusterBuilder#fastpath(Set)}. */
  public static final Set<Modules> ALL = Collections.unmodifiableSet(EnumSet.allOf(Modules.class));

  private static final String EVERY = "all";
  private static final String BALANCER = "org.apache.hadoop.hbase.master.balancer.";
  private static final String DATANODES = "org.fastpath.tiered.datanode.";
  private static final String TIERED = "org.fastpath.tiered.regionserver.";
  private static final String PIN_LIMIT = "hbase.fastpath.hdfs-cache.limit";
  private static final String CACHING_MILLIS = "200";

  private final String artifact;
  private final Set<Role> roles;

  Modules(String artifact, Role... roles) {
    this.artifact = artifact;
    this.roles = Collections.unmodifiableSet(EnumSet.copyOf(List.of(roles)));
  }

  /**
   * Parses a list of names, separated by commas; "all" means all modules.
   *
   * @throws IllegalArgumentException naming a word that is no module
   */
  public static Set<Modules> parse(String names) {
    Set<Modules> modules = EnumSet.noneOf(Modules.class);
    for (String name : names.split(",")) {
      modules.addAll(name.trim().equalsIgnoreCase(EVERY) ? ALL : Set.of(of(name.trim())));
    }
    return modules;
  }

  private static Modules of(String name) {
    for (Modules module : values()) {
      if (module.label().equalsIgnoreCase(name)) {
        return module;
      }
    }
    String known = Arrays.stream(values()).map(Modules::label).collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        "no module '" + name + "': use " + EVERY + ", or some of " + known);
  }

  /** Returns the name for users: "cache". */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name of its jar, without version and suffix. */
  String artifact() {
    return artifact;
  }

  /** Returns the daemons that have the jar on their class paths. */
  Set<Role> roles() {
    return roles;
  }

  /** Returns the keys that a daemon of this role needs. */
  Map<String, String> conf(Role role, FastpathSizes sizes) {
    return Map.of();
  }

  /** Returns the flags that its JVM needs. */
  List<String> jvmFlags(Role role, FastpathSizes sizes) {
    return List.of();
  }

  private static Map<String, String> cache(FastpathSizes sizes) {
    return Map.of("hbase.fastpath.offheap-cache.size", Long.toString(sizes.cacheBytes()));
  }

  private static List<String> directMemory(FastpathSizes sizes) {
    return List.of("-XX:MaxDirectMemorySize=" + sizes.directBytes());
  }
}
