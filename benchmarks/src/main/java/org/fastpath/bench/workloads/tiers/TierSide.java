package org.fastpath.bench.workloads.tiers;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.cluster.PolicySide;
import org.fastpath.cluster.DaemonOptions;

/** Who decides what lies where, and which volume is written. */
enum TierSide {
  /** The policies of the WAL and of the family are all that stock HBase has. */
  STOCK_BEST(
      "stock-best",
      "stock: WAL policy, all store files on the fastest tier that the case has for any of them, round-robin"),
  /** The same, with data at rest where the case has room for it. */
  STOCK_CAPACITY(
      "stock-capacity",
      "stock: WAL policy, all store files on the tier of the large ones, round-robin; where that differs"),
  /** What the story built: its figures are of this. */
  RULES(
      "rules",
      "rules for flushes, for compactions by size and for the archive, as the story's HBase had them; round-robin"),
  OURS(
      "ours",
      "rules for flushes, for compactions by size and for the archive, volumes chosen by latency, locks that let readers"
          + " go first"),
  /** An overload is to be noticed within a load that is shorter than half a minute. */
  OURS_GUARDED(
      "ours-guarded", "the same with the guard, which slows writes down to what flushes bear") {
    @Override
    Map<String, String> regionServerConf() {
      return with(
          super.regionServerConf(),
          Map.of(
              QUOTAS,
              "true",
              "hbase.coprocessor.regionserver.classes",
              OURS_PACKAGE + "guard.TierGuard",
              GUARD + "throttle",
              "true",
              GUARD + "sustained-seconds",
              "5",
              GUARD + "recovery-seconds",
              "10"));
    }

    @Override
    Map<String, String> masterConf() {
      return with(super.masterConf(), Map.of(QUOTAS, "true"));
    }
  };

  private static final String OURS_PACKAGE = "org.fastpath.tiered.regionserver.";
  private static final String GUARD = "hbase.fastpath.tier-guard.";

  /** The guard slows down by HBase's own. */
  private static final String QUOTAS = "hbase.quota.enabled";

  private static final String POLICY = "dfs.datanode.latency-aware-volume-choosing-policy.";

  /** Times by default, which are the story's cluster's, and the shortest that are allowed. */
  private static final List<PolicyTime> POLICY_TIMES =
      List.of(
          new PolicyTime("window-millis", 5_000, 500),
          new PolicyTime("probe-millis", 5_000, 100),
          new PolicyTime("max-probe-millis", 60_000, 100));

  /** Replicas by default of which one is a probe. */
  private static final long PER_PROBE = 256;

  private static final String RULE = "hbase.fastpath.tiering.";

  /** What a rule accepts at least. */
  private static final long LEAST_LIMIT = 1 << 20;

  private record PolicyTime(String key, long millis, long least) {
    private long scaled(TierCase one, TierScale scale) {
      return Math.max(least, scale.time(one.dataset(), Duration.ofMillis(millis)).toMillis());
    }
  }

  private final String label;
  private final String description;

  TierSide(String label, String description) {
    this.label = label;
    this.description = description;
  }

  /** The name on the command line and in results. */
  String label() {
    return label;
  }

  /** What it is, for the report. */
  String description() {
    return description;
  }

  /** Whether it differs from the others in this case. */
  boolean appliesTo(TierCase one) {
    return this != STOCK_CAPACITY || one.mixesStoreFiles();
  }

  private boolean hasRules() {
    return this == RULES || isOurs();
  }

  private boolean isOurs() {
    return this == OURS || this == OURS_GUARDED;
  }

  /** What the DataNode is started with. */
  void dataNode(DaemonOptions options, Layout layout, TierCase one, TierScale scale) {
    if (isOurs()) {
      PolicySide.latencyAware().dataNode(layout).accept(options);
      for (PolicyTime time : POLICY_TIMES) {
        options.conf(POLICY + time.key(), Long.toString(time.scaled(one, scale)));
      }
      options.conf(
          POLICY + "choices-per-probe", Long.toString(scale.replicas(one.dataset(), PER_PROBE)));
      options.conf(
          "dfs.datanode.fsdataset.factory", "org.fastpath.tiered.datanode.TieredDatasetFactory");
    }
  }

  /** What the RegionServer is started with. */
  void regionServer(DaemonOptions options, Layout layout) {
    withJar(options, layout).conf(regionServerConf());
  }

  /** What the HMaster is started with. */
  void master(DaemonOptions options, Layout layout) {
    withJar(options, layout).conf(masterConf());
  }

  private DaemonOptions withJar(DaemonOptions options, Layout layout) {
    return hasRules() ? options.prependToClasspath(layout.jar(Layout.TIERED_JAR)) : options;
  }

  /** What the RegionServer is configured with besides. */
  Map<String, String> regionServerConf() {
    return hasRules()
        ? Map.of("hbase.coprocessor.user.region.classes", OURS_PACKAGE + "TieredStores")
        : Map.of();
  }

  /** What the HMaster is configured with besides. */
  Map<String, String> masterConf() {
    return hasRules()
        ? Map.of(
            "hbase.coprocessor.master.classes",
            OURS_PACKAGE + "TierRulesChecker," + OURS_PACKAGE + "TierKeeper")
        : Map.of();
  }

  private static Map<String, String> with(Map<String, String> conf, Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(conf);
    all.putAll(more);
    return all;
  }

  /** The table, with what says where its files go. */
  TableDescriptor table(TierCase one, TierScale scale) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(YcsbRows.TABLE);
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(YcsbRows.FAMILY);
    if (hasRules()) {
      long limit = Math.max(LEAST_LIMIT, scale.limitBytes(one.dataset()));
      table
          .setValue(RULE + "flush", one.flushed().policy())
          .setValue(RULE + "compaction", one.compacted().policy())
          .setValue(RULE + "large-compaction", one.large().policy())
          .setValue(RULE + "large-compaction-size", Long.toString(limit))
          // By default only what HBase has not deleted by then.
          .setValue(RULE + "archive", one.bottom().policy());
    } else {
      Tier all = this == STOCK_BEST ? one.flushed() : one.large();
      family.setStoragePolicy(all.policy());
    }
    return table.setColumnFamily(family.build()).build();
  }
}
