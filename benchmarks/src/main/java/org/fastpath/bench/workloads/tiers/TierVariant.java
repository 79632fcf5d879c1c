package org.fastpath.bench.workloads.tiers;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.cluster.PolicyVariant;
import org.fastpath.cluster.DaemonOptions;

/** The component that chooses placement and volumes. */
enum TierVariant {
  /** Stock HBase has only the policies of the WAL and of the family. */
  STOCK_BEST(
      "stock-best",
      "stock: WAL policy, all store files on the fastest tier that the case has for any of them, round-robin"),
  /** The same, with data at rest on the tier that has room for it. */
  STOCK_CAPACITY(
      "stock-capacity",
      "stock: WAL policy, all store files on the tier of the large ones, round-robin; where that differs"),
  /** The story's HBase, to which its figures belong. */
  RULES(
      "rules",
      "rules for flushes, for compactions by size and for the archive, as the story's HBase had them; round-robin"),
  OURS(
      "ours",
      "rules for flushes, for compactions by size and for the archive, volumes chosen by latency, locks that let readers"
          + " go first"),
  /** Its guard must detect an overload within a load of less than half a minute. */
  OURS_GUARDED(
      "ours-guarded", "the same with the guard, which slows writes down to what flushes bear");

  private static final String OURS_PACKAGE = "org.fastpath.tiered.regionserver.";
  private static final String GUARD = "hbase.fastpath.tier-guard.";

  /** The guard throttles by HBase's quotas. */
  private static final String QUOTAS = "hbase.quota.enabled";

  private static final String POLICY = "dfs.datanode.latency-aware-volume-choosing-policy.";

  /** The default number of replicas per probe. */
  private static final long PER_PROBE = 256;

  private static final String RULE = "hbase.fastpath.tiering.";

  /** The smallest limit that a rule accepts. */
  private static final long MIN_LIMIT = 1 << 20;

  private final String label;
  private final String description;

  TierVariant(String label, String description) {
    this.label = label;
    this.description = description;
  }

  /** Returns the name on the command line and in results. */
  String label() {
    return label;
  }

  /** Returns the description for the report. */
  String description() {
    return description;
  }

  /** Returns whether it differs from the others in this case. */
  boolean appliesTo(TierCase one) {
    return this != STOCK_CAPACITY || one.mixesStoreFiles();
  }

  private boolean hasRules() {
    return this == RULES || isOurs();
  }

  private boolean isOurs() {
    return this == OURS || this == OURS_GUARDED;
  }

  /** Sets the options of the DataNode. */
  void dataNode(DaemonOptions options, Layout layout, TierCase one, TierScale scale) {
    if (isOurs()) {
      PolicyVariant.latencyAware().dataNode(layout).accept(options);
      // Default times, which are the story's, and the shortest allowed ones.
      time(options, "window-millis", scale.time(one.dataset(), Duration.ofSeconds(5)), 500);
      time(options, "probe-millis", scale.time(one.dataset(), Duration.ofSeconds(5)), 100);
      time(options, "max-probe-millis", scale.time(one.dataset(), Duration.ofMinutes(1)), 100);
      options.conf(
          POLICY + "choices-per-probe", Long.toString(scale.replicas(one.dataset(), PER_PROBE)));
      options.conf(
          "dfs.datanode.fsdataset.factory", "org.fastpath.tiered.datanode.TieredDatasetFactory");
    }
  }

  private static void time(DaemonOptions options, String key, Duration time, long least) {
    options.conf(POLICY + key, Long.toString(Math.max(least, time.toMillis())));
  }

  /** Sets the options of the RegionServer. */
  void regionServer(DaemonOptions options, Layout layout) {
    withJar(options, layout).conf(regionServerConf());
  }

  /** Sets the options of the HMaster. */
  void master(DaemonOptions options, Layout layout) {
    withJar(options, layout).conf(masterConf());
  }

  private DaemonOptions withJar(DaemonOptions options, Layout layout) {
    return hasRules() ? options.prependToClasspath(layout.jar(Layout.TIERED_JAR)) : options;
  }

  /** Returns additional configuration of the RegionServer. */
  Map<String, String> regionServerConf() {
    Map<String, String> conf = new HashMap<>();
    if (hasRules()) {
      conf.put("hbase.coprocessor.user.region.classes", OURS_PACKAGE + "TieredStores");
    }
    if (this == OURS_GUARDED) {
      conf.put(QUOTAS, "true");
      conf.put("hbase.coprocessor.regionserver.classes", OURS_PACKAGE + "guard.TierGuard");
      conf.put(GUARD + "throttle", "true");
      conf.put(GUARD + "sustained-seconds", "5");
      conf.put(GUARD + "recovery-seconds", "10");
    }
    return conf;
  }

  /** Returns additional configuration of the HMaster. */
  Map<String, String> masterConf() {
    Map<String, String> conf = new HashMap<>();
    if (hasRules()) {
      conf.put(
          "hbase.coprocessor.master.classes",
          OURS_PACKAGE + "TierRulesChecker," + OURS_PACKAGE + "TierKeeper");
    }
    if (this == OURS_GUARDED) {
      conf.put(QUOTAS, "true");
    }
    return conf;
  }

  /**
   * Returns the part of a configuration that is for this variant. A key that begins with the name
   * of a variant, as in {@code ours:KEY}, is for that variant only. It overrides the same key
   * without a variant.
   */
  Map<String, String> own(Map<String, String> conf) {
    Map<String, String> own = new HashMap<>(conf);
    own.keySet().removeIf(key -> key.contains(":"));
    String prefix = label + ":";
    conf.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            own.put(key.substring(prefix.length()), value);
          }
        });
    return own;
  }

  /** Returns the table with the attributes for the placement of its files. */
  TableDescriptor table(TierCase one, TierScale scale) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(YcsbRows.TABLE);
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(YcsbRows.FAMILY);
    if (hasRules()) {
      long limit = Math.max(MIN_LIMIT, scale.limitBytes(one.dataset()));
      table
          .setValue(RULE + "flush", one.flushed().policy())
          .setValue(RULE + "compaction", one.compacted().policy())
          .setValue(RULE + "large-compaction", one.large().policy())
          .setValue(RULE + "large-compaction-size", Long.toString(limit))
          // By default only files that HBase has not deleted by then.
          .setValue(RULE + "archive", one.bottom().policy());
    } else {
      Tier all = this == STOCK_BEST ? one.flushed() : one.large();
      family.setStoragePolicy(all.policy());
    }
    return table.setColumnFamily(family.build()).build();
  }
}
