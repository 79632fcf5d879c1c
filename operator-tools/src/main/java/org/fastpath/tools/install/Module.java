package org.fastpath.tools.install;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A selectable part of hbase-fastpath. */
public enum Module {
  /** Checksums of HDFS and HBase. */
  CHECKSUM("hbase-native-checksum", "checksums at the speed of the machine"),
  /** Latencies of regions and tables. */
  METRICS("hbase-metrics2-shim", "latencies of every region and table"),
  /** The off-heap block cache. */
  CACHE("hbase-offheap-read", "the off-heap block cache"),
  /** The off-heap reader of HFiles. */
  READER("hbase-offheap-read", "the off-heap reader of HFiles"),
  /** Zero-copy reads, pinned store files, mapped blocks, the read warm-up. */
  ZCR("hdfs-cache-zcr", "zero-copy reads, pinned store files, mapped blocks"),
  /** Volumes of a DataNode by latency. */
  VOLUMES("hdfs-tiered-volume", "volumes of a DataNode chosen by latency"),
  /** Store files on storage tiers. */
  TIERS("hdfs-tiered-volume", "store files on storage tiers, by rules");

  private static final String ALL = "all";

  private final String artifact;
  private final String purpose;

  Module(String artifact, String purpose) {
    this.artifact = artifact;
    this.purpose = purpose;
  }

  /** Returns the name that operators use: "checksum". */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the artifact whose jar holds it. */
  public String artifact() {
    return artifact;
  }

  /** Its purpose in a few words. */
  public String purpose() {
    return purpose;
  }

  /**
   * Returns the modules of a list such as "cache,reader", or of "all".
   *
   * @throws IllegalArgumentException if a name is unknown
   */
  public static Set<Module> parse(String list) {
    Set<Module> modules = EnumSet.noneOf(Module.class);
    for (String name : list.split(",")) {
      modules.addAll(named(name.trim()));
    }
    return modules;
  }

  private static Collection<Module> named(String name) {
    if (name.equalsIgnoreCase(ALL)) {
      return EnumSet.allOf(Module.class);
    }
    return Arrays.stream(values())
        .filter(module -> module.label().equalsIgnoreCase(name))
        .findFirst()
        .map(Set::of)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no module '" + name + "': use all, or some of " + labels(values())));
  }

  private static String labels(Module... modules) {
    return labels(Arrays.asList(modules));
  }

  /** Their labels, with commas between them. */
  static String labels(Collection<Module> modules) {
    return modules.stream().map(Module::label).collect(Collectors.joining(","));
  }
}
