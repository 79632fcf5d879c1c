package org.fastpath.regionserver;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.fastpath.common.FeatureStatus;

/** The modules, by the names that operators use. Those of other daemons do nothing here. */
enum ServerModule {
  CHECKSUM(
      "hbase-native-checksum",
      "org.fastpath.checksum.ChecksumEngine",
      "checksum-hadoop",
      "checksum-hbase"),
  METRICS("hbase-metrics2-shim", ServerModule.REGIONS + "MeteredRegion", "region-metrics"),
  CACHE("hbase-offheap-read", "org.fastpath.offheap.cache.RegionServerCache", "cache"),
  READER(
      "hbase-offheap-read",
      "org.fastpath.offheap.reader.ReaderSupport",
      "offheap-reader",
      "lean-scans",
      "inline-reads"),
  ZCR(
      "hdfs-cache-zcr",
      "org.fastpath.zcr.ZeroCopyFileSystem",
      "zero-copy",
      "mapped-blocks",
      "pinning",
      "read-warm-up"),
  VOLUMES("hdfs-tiered-volume", "org.fastpath.tiered.datanode.TieredDatasetFactory"),
  TIERS(
      "hdfs-tiered-volume",
      "org.fastpath.tiered.regionserver.TieredStores",
      "tier-rules",
      "tier-guard");

  /** The key of the modules that are switched on. */
  static final String KEY = "hbase.fastpath.modules";

  private static final String ALL = "all";

  /** The package of HBase's regions. */
  private static final String REGIONS = "org.apache.hadoop.hbase.regionserver.";

  private final String artifact;
  private final String marker;
  private final List<String> features;

  ServerModule(String artifact, String marker, String... features) {
    this.artifact = artifact;
    this.marker = marker;
    this.features = List.of(features);
  }

  /**
   * Returns the modules that a configuration asks for.
   *
   * @throws IllegalArgumentException naming the key, the value and the allowed values
   */
  static Set<ServerModule> of(Configuration conf) {
    Set<ServerModule> modules = EnumSet.noneOf(ServerModule.class);
    for (String word : conf.getTrimmedStrings(KEY, ALL)) {
      modules.addAll(word.equals(ALL) ? EnumSet.allOf(ServerModule.class) : Set.of(of(conf, word)));
    }
    return Collections.unmodifiableSet(modules);
  }

  private static ServerModule of(Configuration conf, String word) {
    for (ServerModule module : values()) {
      if (module.label().equals(word)) {
        return module;
      }
    }
    String labels =
        Arrays.stream(values()).map(ServerModule::label).collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        KEY + " is " + conf.get(KEY) + ", allowed is " + ALL + " or a list of " + labels);
  }

  /** Returns the operator's name for it. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Publishes that its features are not switched on. They publish everything else themselves. */
  void publishOff(String reason) {
    features.forEach(feature -> FeatureStatus.of(artifact, feature).off(reason));
  }

  /** Publishes that its jar is missing. */
  void publishAbsent() {
    publishOff(artifact + ".jar is not on the class path");
  }

  /** Returns whether its jar is on the class path. No class is initialized. */
  boolean isThere() {
    try {
      Class.forName(marker, false, ServerModule.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
