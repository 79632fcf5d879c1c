package org.fastpath.tools.install;

import static org.fastpath.tools.install.Module.CACHE;
import static org.fastpath.tools.install.Module.CHECKSUM;
import static org.fastpath.tools.install.Module.METRICS;
import static org.fastpath.tools.install.Module.READER;
import static org.fastpath.tools.install.Module.TIERS;
import static org.fastpath.tools.install.Module.VOLUMES;
import static org.fastpath.tools.install.Module.ZCR;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.fastpath.tools.conf.Role;
import org.fastpath.tools.conf.Sizes;

/** Says which jars and keys each module needs for each role. */
final class Catalog {
  static final String CACHE_SIZE = "hbase.fastpath.offheap-cache.size";
  static final String SHORT_CIRCUIT = "dfs.client.read.shortcircuit";
  static final String DOMAIN_SOCKET = "dfs.domain.socket.path";
  static final String LOCKED_MEMORY = "dfs.datanode.max.locked.memory";

  private static final String FILE_SYSTEM = "fs.hdfs.impl";
  private static final String SERVER_IMPL = "hbase.regionserver.impl";
  private static final String SERVER_ARTIFACT = "fastpath-regionserver";
  private static final String SERVER_CLASS = "org.fastpath.regionserver.FastpathRegionServer";
  private static final String MODULES = "hbase.fastpath.modules";
  private static final String PIN_LIMIT = "hbase.fastpath.hdfs-cache.limit";

  private static final String REGION_SERVER = "org.apache.hadoop.hbase.regionserver.";
  private static final String BALANCER = "org.apache.hadoop.hbase.master.balancer.";
  private static final String TIERED = "org.fastpath.tiered.regionserver.";
  private static final String DATANODE = "org.fastpath.tiered.datanode.";
  private static final String MASTER_CLASSES = "hbase.coprocessor.master.classes";

  /** Our classes in a package of HBase that may be the value of a key of one class. */
  private static final Set<String> OURS_UPSTREAM =
      Set.of(
          REGION_SERVER + "MeteredRegion",
          REGION_SERVER + "OffHeapReadRegion",
          REGION_SERVER + "OffHeapReadMeteredRegion",
          REGION_SERVER + "OffHeapReaderStoreEngine",
          REGION_SERVER + "OffHeapReaderStripeStoreEngine",
          REGION_SERVER + "OffHeapReaderDateTieredStoreEngine",
          BALANCER + "CachedReplicaLoadBalancer");

  /** Modules that our RegionServer class switches on; the others need no key there. */
  private static final Set<Module> SWITCHED = EnumSet.of(METRICS, CACHE, READER, ZCR, TIERS);

  /** All artifacts whose jars go into an installation, in the order of the class path. */
  static final List<String> ARTIFACTS =
      Stream.concat(Stream.of(Module.values()).map(Module::artifact), Stream.of(SERVER_ARTIFACT))
          .distinct()
          .toList();

  private Catalog() {}

  /** Returns whether a class is one of ours. */
  static boolean isOurs(String className) {
    return className.startsWith("org.fastpath.") || OURS_UPSTREAM.contains(className);
  }

  /** Returns the artifacts whose jars a role needs. */
  static Set<String> artifacts(RoleSetup setup) {
    Set<String> artifacts = new LinkedHashSet<>();
    for (Module module : jars(setup.role())) {
      if (setup.has(module)) {
        artifacts.add(module.artifact());
      }
    }
    if (setup.role() == Role.REGIONSERVER && !switched(setup).isEmpty()) {
      artifacts.add(SERVER_ARTIFACT);
    }
    return artifacts;
  }

  /**
   * Returns the modules whose jars a role needs. An HMaster checks the classes that tables name, so
   * it needs those jars too.
   */
  private static Set<Module> jars(Role role) {
    return switch (role) {
      case REGIONSERVER, MASTER -> EnumSet.of(CHECKSUM, METRICS, CACHE, READER, ZCR, TIERS);
      case DATANODE -> EnumSet.of(CHECKSUM, VOLUMES);
      case NAMENODE -> EnumSet.of(TIERS);
      case CLIENT -> EnumSet.of(CHECKSUM, ZCR);
    };
  }

  private static Set<Module> switched(RoleSetup setup) {
    Set<Module> modules = EnumSet.copyOf(SWITCHED);
    modules.retainAll(setup.modules());
    return modules;
  }

  /** Returns the keys of a role by site file. */
  static Map<String, List<Setting>> settings(RoleSetup setup) {
    List<Setting> settings = new ArrayList<>();
    String file = "hbase-site.xml";
    switch (setup.role()) {
      case REGIONSERVER -> regionServer(setup, settings);
      case MASTER -> master(setup, settings);
      case DATANODE -> {
        file = "hdfs-site.xml";
        dataNode(setup, settings);
      }
      case CLIENT -> {
        file = "core-site.xml";
        String zeroCopy = "org.fastpath.zcr.ZeroCopyFileSystem";
        settings.add(Setting.single(ZCR, FILE_SYSTEM, zeroCopy));
      }
      case NAMENODE -> {
        // Only the jar is needed: storage policies have keys only if an operator defines some.
      }
    }
    settings.removeIf(setting -> !setup.has(setting.module()));
    Map<String, List<Setting>> byFile = new LinkedHashMap<>();
    if (!settings.isEmpty()) {
      byFile.put(file, settings);
    }
    return byFile;
  }

  /** Our RegionServer class sets the other keys of its modules itself. */
  private static void regionServer(RoleSetup setup, List<Setting> to) {
    Set<Module> switched = switched(setup);
    for (Module module : switched) {
      to.add(Setting.single(module, SERVER_IMPL, SERVER_CLASS));
    }
    if (!switched.isEmpty() && !switched.equals(SWITCHED)) {
      Module first = switched.iterator().next();
      to.add(Setting.required(first, MODULES, Module.labels(setup.modules())));
    }
    Module cache = setup.has(CACHE) ? CACHE : READER;
    setup.cacheBytes().ifPresent(bytes -> to.add(size(cache, CACHE_SIZE, bytes)));
    to.add(Setting.untaken(READER, "hbase.hstore.engine.class"));
    to.add(Setting.untaken(ZCR, FILE_SYSTEM));
    shortCircuit(setup, to);
    pinLimit(setup, to);
  }

  private static void master(RoleSetup setup, List<Setting> to) {
    String costs = "hbase.master.balancer.stochastic.additionalCostFunctions";
    to.add(Setting.list(ZCR, costs, BALANCER + "CachedReplicaCostFunction"));
    String balancer = BALANCER + "CachedReplicaLoadBalancer";
    to.add(Setting.single(ZCR, "hbase.master.loadbalancer.class", balancer));
    pinLimit(setup, to);
    to.add(Setting.list(TIERS, MASTER_CLASSES, TIERED + "TierRulesChecker"));
    to.add(Setting.list(TIERS, MASTER_CLASSES, TIERED + "TierKeeper"));
  }

  private static void pinLimit(RoleSetup setup, List<Setting> to) {
    setup.pinBytes().ifPresent(bytes -> to.add(size(ZCR, PIN_LIMIT, bytes)));
  }

  private static void dataNode(RoleSetup setup, List<Setting> to) {
    shortCircuit(setup, to);
    setup.lockedBytes().ifPresent(bytes -> to.add(size(ZCR, LOCKED_MEMORY, bytes)));
    String policy = DATANODE + "LatencyAwareVolumeChoosingPolicy";
    to.add(Setting.single(VOLUMES, "dfs.datanode.fsdataset.volume.choosing.policy", policy));
    String dataset = DATANODE + "TieredDatasetFactory";
    to.add(Setting.single(VOLUMES, "dfs.datanode.fsdataset.factory", dataset));
  }

  private static void shortCircuit(RoleSetup setup, List<Setting> to) {
    to.add(Setting.required(ZCR, SHORT_CIRCUIT, "true"));
    setup.domainSocket().ifPresent(path -> to.add(Setting.required(ZCR, DOMAIN_SOCKET, path)));
  }

  private static Setting size(Module module, String key, long bytes) {
    return Setting.required(module, key, Sizes.format(bytes));
  }
}
