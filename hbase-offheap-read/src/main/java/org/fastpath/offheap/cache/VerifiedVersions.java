package org.fastpath.offheap.cache;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Properties;

/** The versions of HBase that the build looked for everything in that the cache reaches into. */
final class VerifiedVersions {
  private static final String RESOURCE = "verified-versions.properties";
  private static final List<String> HBASE = load();

  private VerifiedVersions() {}

  private static List<String> load() {
    Properties properties = new Properties();
    try (InputStream in = VerifiedVersions.class.getResourceAsStream(RESOURCE)) {
      properties.load(in);
    } catch (IOException | NullPointerException e) {
      throw new IllegalStateException(RESOURCE + " cannot be read from the jar", e);
    }
    return List.of(properties.getProperty("hbase").split(","));
  }

  /** All of them, such as {@code 2.6.4-hadoop3}. */
  static List<String> hbase() {
    return HBASE;
  }

  static boolean hbase(String version) {
    return HBASE.contains(version);
  }
}
