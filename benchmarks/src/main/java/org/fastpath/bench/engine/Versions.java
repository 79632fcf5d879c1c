package org.fastpath.bench.engine;

import java.util.LinkedHashMap;
import java.util.Map;

/** The versions of the measured software. */
public final class Versions {
  private Versions() {}

  /** Returns versions by name: HBase, Hadoop, ours, JMH. */
  public static Map<String, String> all() {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("HBase", org.apache.hadoop.hbase.util.VersionInfo.getVersion());
    versions.put("Hadoop", org.apache.hadoop.util.VersionInfo.getVersion());
    versions.put("hbase-fastpath", ofPackage(Versions.class));
    versions.put("JMH", org.openjdk.jmh.util.Version.getPlainVersion());
    return versions;
  }

  private static String ofPackage(Class<?> type) {
    String version = type.getPackage().getImplementationVersion();
    return version == null ? "not packaged" : version;
  }
}
