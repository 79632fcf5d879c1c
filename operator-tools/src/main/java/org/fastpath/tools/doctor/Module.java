package org.fastpath.tools.doctor;

import java.io.File;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Our jars, with their classes that must precede HBase's or Hadoop's own. */
enum Module {
  SERVER("fastpath-regionserver", List.of("org.fastpath.regionserver."), List.of()),
  METRICS("hbase-metrics2-shim", List.of("org.fastpath.metrics."), List.of("MeteredRegion")),
  CHECKSUM(
      "hbase-native-checksum",
      List.of("org.fastpath.checksum."),
      List.of(),
      "org.apache.hadoop.util.NativeCrc32",
      "org.apache.hadoop.hbase.io.hfile.ChecksumUtil"),
  OFFHEAP("hbase-offheap-read", List.of("org.fastpath.offheap."), List.of("OffHeap")),
  ZERO_COPY("hdfs-cache-zcr", List.of("org.fastpath.zcr."), List.of("CachedReplica")),
  TIERED(
      "hdfs-tiered-volume",
      List.of("org.fastpath.tiered."),
      List.of(),
      "org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite");

  private static final String LIB = System.getProperty("fastpath.lib", "/opt/fastpath/lib");
  private static final Map<String, String> JARS = jars();

  private final String title;
  private final List<String> packages;
  private final List<String> classes;
  private final List<String> patches;

  Module(String title, List<String> packages, List<String> classes, String... patches) {
    this.title = title;
    this.packages = packages;
    this.classes = classes;
    this.patches = List.of(patches);
  }

  /** Returns the module that holds a class of ours that configuration files may name. */
  static Module of(String className) {
    String simple = className.substring(className.lastIndexOf('.') + 1);
    return Arrays.stream(values())
        .filter(
            module ->
                module.packages.stream().anyMatch(className::startsWith)
                    || module.classes.stream().anyMatch(simple::startsWith))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(className + " is in none of our jars"));
  }

  static List<String> titles() {
    return Arrays.stream(values()).map(Module::title).toList();
  }

  /** Returns its name, the title in the manifest of its jar. */
  String title() {
    return title;
  }

  /** Returns its jar in the directory of this command. */
  String jar() {
    return jar(title);
  }

  /** Returns the jar of a module of that title. */
  static String jar(String title) {
    return JARS.getOrDefault(title, LIB + "/" + title + ".jar");
  }

  /** Returns the jars of the archive, whose names contain their version. */
  private static Map<String, String> jars() {
    Map<String, String> jars = new HashMap<>();
    File[] files = new File(LIB).listFiles();
    if (files != null) {
      for (File file : files) {
        jars.put(file.getName().replaceAll("(-[0-9][^/]*)?\\.jar$", ""), file.getPath());
      }
    }
    return jars;
  }

  /** Returns the names of classes that replace those of HBase or Hadoop. */
  List<String> patches() {
    return patches;
  }
}
