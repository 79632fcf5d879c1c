package org.fastpath.tools.doctor;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.fastpath.tools.conf.Role;

/** The switch of a feature: a key, and our class or the word that is its value. */
enum Switch {
  SERVER(
      null,
      Role.REGIONSERVER,
      "hbase.regionserver.impl",
      "org.fastpath.regionserver.FastpathRegionServer",
      "hbase.fastpath.modules"),
  CACHE(
      "cache",
      Role.REGIONSERVER,
      "hbase.regionserver.impl",
      "org.apache.hadoop.hbase.regionserver.OffHeapCacheRegionServer",
      "hbase.fastpath.offheap-cache."),
  WARM_RESTART("warm-restart", Role.REGIONSERVER, "hbase.fastpath.offheap-cache.file", null, null),
  READER(
      "offheap-reader", Role.REGIONSERVER, "hbase.fastpath.offheap-reader.enabled", "true", null),
  READER_ENGINE(
      "offheap-reader",
      Role.REGIONSERVER,
      "hbase.hstore.engine.class",
      "org.apache.hadoop.hbase.regionserver.OffHeapReaderStoreEngine",
      null),
  STRIPE_ENGINE(
      "offheap-reader",
      Role.REGIONSERVER,
      "hbase.hstore.engine.class",
      "org.apache.hadoop.hbase.regionserver.OffHeapReaderStripeStoreEngine",
      null),
  DATE_TIERED_ENGINE(
      "offheap-reader",
      Role.REGIONSERVER,
      "hbase.hstore.engine.class",
      "org.apache.hadoop.hbase.regionserver.OffHeapReaderDateTieredStoreEngine",
      null),
  LEAN_SCANS(
      "lean-scans",
      Role.REGIONSERVER,
      "hbase.hregion.impl",
      "org.apache.hadoop.hbase.regionserver.OffHeapReadRegion",
      null),
  LEAN_METERED_SCANS(
      "lean-scans",
      Role.REGIONSERVER,
      "hbase.hregion.impl",
      "org.apache.hadoop.hbase.regionserver.OffHeapReadMeteredRegion",
      null),
  INLINE_READS(
      "inline-reads", Role.REGIONSERVER, "hbase.fastpath.inline-reads.enabled", "true", null),
  REGION_METRICS(
      "region-metrics",
      Role.REGIONSERVER,
      "hbase.hregion.impl",
      "org.apache.hadoop.hbase.regionserver.MeteredRegion",
      null),
  REGION_METRICS_OBSERVER(
      "region-metrics",
      Role.REGIONSERVER,
      "hbase.coprocessor.region.classes",
      "org.fastpath.metrics.region.RegionMetricsObserver",
      null),
  ZERO_COPY(
      "zero-copy",
      Role.REGIONSERVER,
      "fs.hdfs.impl",
      "org.fastpath.zcr.ZeroCopyFileSystem",
      "dfs.fastpath.zcr."),
  MAPPED_BLOCKS(
      "mapped-blocks",
      Role.REGIONSERVER,
      "hbase.coprocessor.user.region.classes",
      "org.fastpath.zcr.hbase.MappedBlocks",
      "hbase.fastpath.zcr-blocks."),
  PINNING(
      "pinning",
      Role.REGIONSERVER,
      "hbase.coprocessor.regionserver.classes",
      "org.fastpath.zcr.pin.CachePinning",
      null),
  COMPACTION_PINNING(
      null,
      Role.REGIONSERVER,
      "hbase.coprocessor.user.region.classes",
      "org.fastpath.zcr.pin.CompactionPinObserver",
      null),
  READ_WARM_UP(
      "read-warm-up",
      Role.REGIONSERVER,
      "hbase.coprocessor.regionserver.classes",
      "org.fastpath.zcr.warmup.ReadWarmUp",
      "hbase.fastpath.warm-up."),
  CACHED_REPLICA_COST(
      null,
      Role.MASTER,
      "hbase.master.balancer.stochastic.additionalCostFunctions",
      "org.apache.hadoop.hbase.master.balancer.CachedReplicaCostFunction",
      null),
  CACHED_REPLICA_BALANCER(
      null,
      Role.MASTER,
      "hbase.master.loadbalancer.class",
      "org.apache.hadoop.hbase.master.balancer.CachedReplicaLoadBalancer",
      null),
  TIER_RULES(
      "tier-rules",
      Role.REGIONSERVER,
      "hbase.coprocessor.user.region.classes",
      "org.fastpath.tiered.regionserver.TieredStores",
      null),
  TIER_CHECKER(
      null,
      Role.MASTER,
      "hbase.coprocessor.master.classes",
      "org.fastpath.tiered.regionserver.TierRulesChecker",
      null),
  TIER_KEEPER(
      null,
      Role.MASTER,
      "hbase.coprocessor.master.classes",
      "org.fastpath.tiered.regionserver.TierKeeper",
      "hbase.fastpath.tiering.keeper."),
  TIER_GUARD(
      "tier-guard",
      Role.REGIONSERVER,
      "hbase.coprocessor.regionserver.classes",
      "org.fastpath.tiered.regionserver.guard.TierGuard",
      "hbase.fastpath.tier-guard."),
  LATENCY_VOLUMES(
      "latency-volumes",
      Role.DATANODE,
      "dfs.datanode.fsdataset.volume.choosing.policy",
      "org.fastpath.tiered.datanode.LatencyAwareVolumeChoosingPolicy",
      "dfs.datanode.latency-aware-volume-choosing-policy."),
  PER_TYPE_VOLUMES(
      null,
      Role.DATANODE,
      "dfs.datanode.fsdataset.volume.choosing.policy",
      "org.fastpath.tiered.datanode.PerTypeRoundRobinVolumeChoosingPolicy",
      null),
  TIERED_DATASET(
      "tiered-dataset",
      Role.DATANODE,
      "dfs.datanode.fsdataset.factory",
      "org.fastpath.tiered.datanode.TieredDatasetFactory",
      "dfs.fastpath.pool-lock."),
  STORAGE_POLICIES("storage-policies", Role.NAMENODE, "dfs.fastpath.storage-policies", null, null);

  private final String feature;
  private final Role role;
  private final String key;
  private final String value;
  private final String keys;

  /** The key that lists the modules which {@link #SERVER} switches on. */
  static final String MODULES = "hbase.fastpath.modules";

  private static final String ALL = "all";

  Switch(String feature, Role role, String key, String value, String keys) {
    this.feature = feature;
    this.role = role;
    this.key = key;
    this.value = value;
    this.keys = keys;
  }

  /** Returns the feature that it turns on, as its MBean names it; empty for a part of one. */
  Optional<String> feature() {
    return Optional.ofNullable(feature);
  }

  Role role() {
    return role;
  }

  String key() {
    return key;
  }

  /** Returns the word or class that turns it on; empty if any value does. */
  Optional<String> value() {
    return Optional.ofNullable(value);
  }

  /** Returns the prefix of keys that matter only while it is on. */
  Optional<String> ownKeys() {
    return Optional.ofNullable(keys);
  }

  /** Returns whether its value is a class of ours. */
  boolean namesClass() {
    return value != null && value.indexOf('.') > 0;
  }

  /** Returns whether a directory switches it on, by its own key or by the class for all modules. */
  boolean asked(ConfDirectory directory) {
    return named(directory) || byServer(directory);
  }

  /** Returns whether its own key switches it on. */
  boolean named(ConfDirectory directory) {
    return value == null ? directory.has(key) : directory.lists(key, value);
  }

  /**
   * Returns whether the class for all modules switches it on. That class does not change a key with
   * another product's class.
   */
  private boolean byServer(ConfDirectory directory) {
    List<String> labels = modules();
    if (labels.isEmpty() || !SERVER.named(directory)) {
      return false;
    }
    List<String> on = directory.site().list(MODULES);
    boolean listed = on.isEmpty() || on.contains(ALL) || labels.stream().anyMatch(on::contains);
    boolean free = !directory.has(key) || key.equals(SERVER.key) || key.endsWith(".classes");
    return listed && free;
  }

  /** Returns the modules that bring it, by the names of {@link #MODULES}. */
  private List<String> modules() {
    return switch (this) {
      case CACHE -> List.of("cache", "reader");
      case READER, LEAN_SCANS -> List.of("reader");
      case REGION_METRICS -> List.of("metrics");
      case ZERO_COPY, MAPPED_BLOCKS, PINNING, COMPACTION_PINNING, READ_WARM_UP -> List.of("zcr");
      case TIER_RULES, TIER_GUARD -> List.of("tiers");
      default -> List.of();
    };
  }

  /** Returns whether its role reads that directory. */
  boolean concerns(ConfDirectory directory) {
    return role.isHBase() == directory.hbase();
  }

  static Optional<Switch> first(Predicate<Switch> wanted) {
    return Arrays.stream(values()).filter(wanted).findFirst();
  }
}
