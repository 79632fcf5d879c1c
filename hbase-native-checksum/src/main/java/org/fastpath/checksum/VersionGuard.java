package org.fastpath.checksum;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Properties;

/**
 * Knows the versions of Hadoop and HBase whose classes the patches were verified against: the list
 * that the build's signature test runs over. On any other version a patch must behave as the class
 * it stands for.
 */
public final class VersionGuard {
  private static final String RESOURCE = "verified-versions.properties";
  private static final Properties VERIFIED = load();

  private VersionGuard() {}

  private static Properties load() {
    Properties properties = new Properties();
    try (InputStream in = VersionGuard.class.getResourceAsStream(RESOURCE)) {
      properties.load(in);
    } catch (IOException | NullPointerException e) {
      throw new IllegalStateException(RESOURCE + " cannot be read from the jar", e);
    }
    return properties;
  }

  /**
   * Whether the patch of Hadoop's class was verified against this version, such as {@code 3.4.2}.
   */
  public static boolean hadoop(String version) {
    return versions("hadoop").contains(version);
  }

  /**
   * Whether the patch of HBase's class was verified against this version, such as {@code
   * 2.6.4-hadoop3}.
   */
  public static boolean hbase(String version) {
    return versions("hbase").contains(version);
  }

  static List<String> versions(String what) {
    return List.of(VERIFIED.getProperty(what).split(","));
  }
}
