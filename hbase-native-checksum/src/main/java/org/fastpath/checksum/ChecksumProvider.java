package org.fastpath.checksum;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/** A provider of checksums: the value of {@code hbase.fastpath.checksum.provider}. */
enum ChecksumProvider {
  /** The faster one per algorithm and for short and long chunks, found by measurement at start. */
  AUTO,
  /** The JDK's intrinsics. */
  JDK,
  /** Hadoop's native library; the JDK if it is not installed. */
  HADOOP_NATIVE;

  static final String KEY = "hbase.fastpath.checksum.provider";

  private static final String SITE = "hbase-site.xml";

  String value() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Reads the key from the system property of that name, else from {@code hbase-site.xml} on the
   * classpath.
   *
   * @throws IllegalArgumentException naming the key, the value and the allowed values
   */
  static ChecksumProvider configured() {
    String property = System.getProperty(KEY);
    if (property != null) {
      return parse(property, "the system property");
    }
    Configuration site = new Configuration(false);
    site.addResource(SITE);
    return parse(site.get(KEY, AUTO.value()), SITE);
  }

  static ChecksumProvider parse(String value, String source) {
    for (ChecksumProvider provider : values()) {
      if (provider.value().equals(value.trim())) {
        return provider;
      }
    }
    String allowed =
        Arrays.stream(values()).map(ChecksumProvider::value).collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        KEY + " is '" + value + "' (from " + source + "); allowed are: " + allowed);
  }
}
