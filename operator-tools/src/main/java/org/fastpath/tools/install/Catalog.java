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
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fastpath.tools.conf.Role;
import org.fastpath.tools.conf.Sizes;

/** Says which jars and keys each module needs for each role. */
final class Catalog {
  static final String CACHE_SIZE = "hbase.fastpath.offheap-cache.size";
  static final String SHORT_CIRCUIT = "dfs.client.read.shortcircuit";
  static final String DOMAIN_SOCKET = "dfs.domain.socket.path";
  static final String LOCKED_MEMORY = "dfs.datanode.max.locked.memory";

  private static final String REGION_SERVER = "org.apache.hadoop.hbase.regionserver.";
  private static final String BALANCER = "org.apache.hadoop.hbase.master.balancer.";
  private static final String TIERED = "org.fastpath.tiered.regionserver.";
  private static final String DATANODE = "org.fastpath.tiered.datanode.";

  private static final String REGION_IMPL = "hbase.hregion.impl";
  private static final String SERVER_CLASSES = "hbase.coprocessor.regionserver.classes";
  private static final String USER_REGION_CLASSES = "hbase.coprocessor.user.region.classes";
  private static final String MASTER_CLASSES = "hbase.coprocessor.master.classes";

  /** Our classes that live in a package of HBase's and may stand in a key of one class. */
  private static final Set<String> OURS_UPSTREAM =
      Set.of(
          REGION_SERVER + "OffHeapCacheRegionServer",
          REGION_SERVER + "MeteredRegion",
          REGION_SERVER + "OffHeapReadRegion",
          REGION_SERVER + "OffHeapReadMeteredRegion",
          REGION_SERVER + "OffHeapReaderStoreEngine",
          REGION_SERVER + "OffHeapReaderStripeStoreEngine",
          REGION_SERVER + "OffHeapReaderDateTieredStoreEngine",
          BALANCER + "CachedReplicaLoadBalancer");

  private Catalog() {}

  /** Whether a class is one of ours. */
  static boolean isOurs(String className) {
    return className.startsWith("org.fastpath.") || OURS_UPSTREAM.contains(className);
  }

  /**
   * The modules whose jars a role needs. An HMaster gets those of RegionServers, because it looks
   * for classes that tables and a shared hbase-site.xml name.
   */
  static Set<Module> jars(Role role) {
    return switch (role) {
      case REGIONSERVER, MASTER -> EnumSet.of(CHECKSUM, METRICS, CACHE, READER, ZCR, TIERS);
      case DATANODE -> EnumSet.of(CHECKSUM, VOLUMES);
      case NAMENODE -> EnumSet.of(TIERS);
      case CLIENT -> EnumSet.of(CHECKSUM, ZCR);
    };
  }

  /** The keys of a role by site file. */
  static Map<String, List<Setting>> settings(RoleSetup setup) {
    List<Setting> settings = new ArrayList<>();
    String file = "hbase-site.xml";
    switch (setup.role()) {
      case REGIONSERVER -> regionServer(setup, settings);
      case MASTER -> master(settings);
      case DATANODE -> {
        file = "hdfs-site.xml";
        dataNode(setup, settings);
      }
      case CLIENT -> {
        file = "core-site.xml";
        settings.add(fileSystem());
      }
      case NAMENODE -> {
        // The jar alone: storage policies have keys only where an operator defines some.
      }
    }
    settings.removeIf(setting -> !setup.has(setting.module()));
    Map<String, List<Setting>> byFile = new LinkedHashMap<>();
    if (!settings.isEmpty()) {
      byFile.put(file, settings);
    }
    return byFile;
  }

  private static void regionServer(RoleSetup setup, List<Setting> to) {
    regionClass(setup, to);
    to.add(Setting.single(CACHE, "hbase.regionserver.impl", serverClass()));
    setup.cacheBytes().ifPresent(bytes -> to.add(size(CACHE, CACHE_SIZE, bytes)));
    to.add(Setting.required(READER, "hbase.fastpath.offheap-reader.enabled", "true"));
    if (!setup.has(CACHE)) {
      String engine = REGION_SERVER + "OffHeapReaderStoreEngine";
      to.add(Setting.single(READER, "hbase.hstore.engine.class", engine));
    }
    to.add(fileSystem());
    shortCircuit(setup, to);
    to.add(Setting.list(ZCR, SERVER_CLASSES, "org.fastpath.zcr.pin.CachePinning"));
    to.add(Setting.list(ZCR, SERVER_CLASSES, "org.fastpath.zcr.warmup.ReadWarmUp"));
    to.add(Setting.list(ZCR, USER_REGION_CLASSES, "org.fastpath.zcr.hbase.MappedBlocks"));
    to.add(Setting.list(ZCR, USER_REGION_CLASSES, "org.fastpath.zcr.pin.CompactionPinObserver"));
    to.add(Setting.list(TIERS, SERVER_CLASSES, TIERED + "guard.TierGuard"));
    to.add(Setting.list(TIERS, USER_REGION_CLASSES, TIERED + "TieredStores"));
  }

  private static String serverClass() {
    return REGION_SERVER + "OffHeapCacheRegionServer";
  }

  /**
   * The class of regions. With the cache our RegionServer makes one of {@code MeteredRegion} that
   * does lean scans too; without it the key has to name that class.
   */
  private static void regionClass(RoleSetup setup, List<Setting> to) {
    boolean lean = setup.has(READER) && !setup.has(CACHE);
    String metered = lean ? "OffHeapReadMeteredRegion" : "MeteredRegion";
    to.add(Setting.single(METRICS, REGION_IMPL, REGION_SERVER + metered));
    if (lean && !setup.has(METRICS)) {
      to.add(Setting.single(READER, REGION_IMPL, REGION_SERVER + "OffHeapReadRegion"));
    }
  }

  private static void master(List<Setting> to) {
    String costs = "hbase.master.balancer.stochastic.additionalCostFunctions";
    to.add(Setting.list(ZCR, costs, BALANCER + "CachedReplicaCostFunction"));
    String balancer = BALANCER + "CachedReplicaLoadBalancer";
    to.add(Setting.single(ZCR, "hbase.master.loadbalancer.class", balancer));
    to.add(Setting.list(TIERS, MASTER_CLASSES, TIERED + "TierRulesChecker"));
    to.add(Setting.list(TIERS, MASTER_CLASSES, TIERED + "TierKeeper"));
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

  private static Setting fileSystem() {
    return Setting.single(ZCR, "fs.hdfs.impl", "org.fastpath.zcr.ZeroCopyFileSystem");
  }

  private static Setting size(Module module, String key, long bytes) {
    return Setting.required(module, key, Sizes.format(bytes));
  }
}
