package org.fastpath.bench.workloads.tiers;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.cluster.PolicyVariant;
import org.fastpath.cluster.DaemonOptions;

/**
 * The component that chooses placement and volumes. Stock HBase has only the policies of the WAL
 * and of the family.
 */
enum TierVariant {
  STOCK_BEST(
      "stock-best",
      "stock: WAL policy, all store files on the fastest tier that the case has for any of them, round-robin"),
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

  private static final String QUOTAS = "hbase.quota.enabled";

  private static final String POLICY = "dfs.datanode.latency-aware-volume-choosing-policy.";
  private static final String RULE = "hbase.fastpath.tiering.";

  /** The smallest limit that a rule accepts. */
  private static final long MIN_LIMIT = 1 << 20;

  /** The name on the command line and in results. */
  final String label;

  /** The description for the report. */
  final String description;

  TierVariant(String label, String description) {
    this.label = label;
    this.description = description;
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

  /** Sets the policy's defaults on the DataNode, scaled to at least the shortest allowed times. */
  void dataNode(DaemonOptions options, TierScale scale) {
    if (isOurs()) {
      long window = scale.millis(Duration.ofSeconds(5));
      long pause = scale.millis(Duration.ofMinutes(1));
      String factory = "org.fastpath.tiered.datanode.TieredDatasetFactory";
      PolicyVariant.latencyAware().dataNode(Layout.here()).accept(options);
      options.conf(
          new Params()
              .with(POLICY + "window-millis", Math.max(500, window))
              .with(POLICY + "probe-millis", Math.max(100, window))
              .with(POLICY + "max-probe-millis", Math.max(100, pause))
              .with(POLICY + "choices-per-probe", scale.replicas(256))
              .with("dfs.datanode.fsdataset.factory", factory));
    }
  }

  /** Sets the options of the RegionServer or of the HMaster. */
  void hbase(DaemonOptions options, Map<String, String> conf) {
    if (hasRules()) {
      options.prependToClasspath(Layout.here().jar(Layout.TIERED_JAR));
    }
    options.conf(conf);
  }

  /** Returns additional configuration of the RegionServer. */
  Map<String, String> regionServerConf() {
    Params conf = new Params();
    if (hasRules()) {
      conf.with("hbase.coprocessor.user.region.classes", OURS_PACKAGE + "TieredStores");
    }
    if (this == OURS_GUARDED) {
      conf.with(QUOTAS, true)
          .with("hbase.coprocessor.regionserver.classes", OURS_PACKAGE + "guard.TierGuard")
          .with(GUARD + "throttle", true)
          .with(GUARD + "sustained-seconds", 5)
          .with(GUARD + "recovery-seconds", 10);
    }
    return conf;
  }

  /** Returns additional configuration of the HMaster. */
  Map<String, String> masterConf() {
    Params conf = new Params();
    if (hasRules()) {
      String classes = OURS_PACKAGE + "TierRulesChecker," + OURS_PACKAGE + "TierKeeper";
      conf.with("hbase.coprocessor.master.classes", classes);
    }
    if (this == OURS_GUARDED) {
      conf.with(QUOTAS, true);
    }
    return conf;
  }

  /**
   * Returns the part of a configuration that is for this variant. A key that begins with the name
   * of a variant, as in {@code ours:KEY}, is for that variant only. It overrides the same key
   * without a variant.
   */
  Map<String, String> own(Map<String, String> conf) {
    Map<String, String> own = new HashMap<>();
    conf.forEach(
        (key, value) -> {
          if (key.startsWith(label + ":")) {
            own.put(key.substring(label.length() + 1), value);
          } else if (!key.contains(":")) {
            own.putIfAbsent(key, value);
          }
        });
    return own;
  }

  /** Returns the table with the attributes for the placement of its files. */
  TableDescriptor table(TierScale scale) {
    TierCase one = scale.one();
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(YcsbRows.TABLE);
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(YcsbRows.FAMILY);
    if (hasRules()) {
      long limit = Math.max(MIN_LIMIT, scale.limitBytes());
      table
          .setValue(RULE + "flush", one.flushed().policy)
          .setValue(RULE + "compaction", one.compacted().policy)
          .setValue(RULE + "large-compaction", one.large().policy)
          .setValue(RULE + "large-compaction-size", Long.toString(limit))
          // By default only files that HBase has not deleted by then.
          .setValue(RULE + "archive", one.bottom().policy);
    } else {
      Tier all = this == STOCK_BEST ? one.flushed() : one.large();
      family.setStoragePolicy(all.policy);
    }
    return table.setColumnFamily(family.build()).build();
  }
}
