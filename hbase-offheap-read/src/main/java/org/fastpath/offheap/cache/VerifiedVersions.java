package org.fastpath.offheap.cache;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Properties;

/** The versions of HBase that the build looked for everything in that the jar reaches into. */
public final class VerifiedVersions {
  private static final String RESOURCE = "verified-versions.properties";
  private static final Properties PROPERTIES = load();
  private static final List<String> HBASE = list("hbase");
  private static final List<String> READER = list("reader");

  private VerifiedVersions() {}

  private static Properties load() {
    Properties properties = new Properties();
    try (InputStream in = VerifiedVersions.class.getResourceAsStream(RESOURCE)) {
      properties.load(in);
    } catch (IOException | NullPointerException e) {
      throw new IllegalStateException(RESOURCE + " cannot be read from the jar", e);
    }
    return properties;
  }

  private static List<String> list(String part) {
    return List.of(PROPERTIES.getProperty(part).split(","));
  }

  /** Those in which the cache can be used, such as {@code 2.6.4-hadoop3}. */
  static List<String> hbase() {
    return HBASE;
  }

  static boolean hbase(String version) {
    return HBASE.contains(version);
  }

  /** Those in which HFiles can be read by the off-heap reader too. */
  public static List<String> reader() {
    return READER;
  }
}
