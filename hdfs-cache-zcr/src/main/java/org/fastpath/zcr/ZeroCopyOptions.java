package org.fastpath.zcr;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/**
 * The checked configuration of a client's zero-copy reads.
 *
 * @param enabled whether reads use mappings
 * @param mapsUncached whether copied reads without checksums use mappings of blocks outside of
 *     locked memory
 * @param maxMappings limit of mapped blocks
 * @param maxMappedBytes limit of bytes of mapped blocks
 * @param idleMillis time after which an unread mapping is retired
 * @param graceMillis time between the last reader of a mapping and its unmapping
 * @param debug whether slices are copies that are overwritten at their close
 */
record ZeroCopyOptions(
    boolean enabled,
    boolean mapsUncached,
    int maxMappings,
    long maxMappedBytes,
    long idleMillis,
    long graceMillis,
    boolean debug) {
  static final String ENABLED = "dfs.fastpath.zcr.enabled";
  static final String MAPS_UNCACHED = "dfs.fastpath.zcr.map-uncached";
  static final String MAX_MAPPINGS = "dfs.fastpath.zcr.max-mappings";
  static final String MAX_MAPPED_BYTES = "dfs.fastpath.zcr.max-mapped-bytes";
  static final String IDLE_MILLIS = "dfs.fastpath.zcr.idle-millis";

  static final String GRACE_MILLIS = "dfs.fastpath.zcr.unmap-grace-millis";
  static final String DEBUG = "dfs.fastpath.zcr.debug";

  private static final int MAPPINGS_LIMIT = 1_000_000;
  private static final long MAPPED_BYTES_LIMIT = 1L << 46;
  private static final long MIN_IDLE_MILLIS = 100;
  private static final long MAX_GRACE_MILLIS = 600_000;
  private static final long MAX_IDLE_MILLIS = 24L * 60 * 60 * 1000;

  /**
   * Reads and checks the keys.
   *
   * @throws ZeroCopyConfigurationException naming the key, the value and the allowed values
   */
  static ZeroCopyOptions of(Configuration conf) {
    return new ZeroCopyOptions(
        flag(conf, ENABLED, "true"),
        flag(conf, MAPS_UNCACHED, "false"),
        (int) number(conf, MAX_MAPPINGS, "2048", 1, MAPPINGS_LIMIT, "a number"),
        number(
            conf,
            MAX_MAPPED_BYTES,
            "256g",
            1,
            MAPPED_BYTES_LIMIT,
            "bytes, or with the suffix k, m, g or t,"),
        number(conf, IDLE_MILLIS, "300000", MIN_IDLE_MILLIS, MAX_IDLE_MILLIS, "milliseconds"),
        number(conf, GRACE_MILLIS, "10000", 0, MAX_GRACE_MILLIS, "milliseconds"),
        flag(conf, DEBUG, "false"));
  }

  private static long number(
      Configuration conf, String key, String otherwise, long least, long most, String unit) {
    String value = conf.getTrimmed(key, otherwise);
    try {
      long number = TraditionalBinaryPrefix.string2long(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (IllegalArgumentException e) {
      // Rejected below, like a number out of range.
    }
    throw new ZeroCopyConfigurationException(key, value, unit + " from " + least + " to " + most);
  }

  private static boolean flag(Configuration conf, String key, String otherwise) {
    String value = conf.getTrimmed(key, otherwise);
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new ZeroCopyConfigurationException(key, value, "true or false");
    };
  }

  /** Returns whether another file system has the same shared limits. */
  boolean sameLimits(ZeroCopyOptions other) {
    return maxMappings == other.maxMappings
        && maxMappedBytes == other.maxMappedBytes
        && idleMillis == other.idleMillis
        && graceMillis == other.graceMillis
        && debug == other.debug;
  }
}
