package org.fastpath.zcr;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/**
 * What the client's configuration says of zero-copy reads, checked.
 *
 * @param enabled whether there are any
 * @param mapsUncached whether copied reads without checksums are served from mappings when the
 *     DataNode does not hold the block in locked memory
 * @param maxMappings how many blocks may be mapped
 * @param maxMappedBytes how many bytes of blocks may be mapped
 * @param idleMillis how long a mapping stays that nobody reads
 * @param graceMillis how long a mapping stays after its last reader has given it back
 * @param debug whether slices are copies that are overwritten when they are closed
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

  private static final int MOST_MAPPINGS = 1_000_000;
  private static final long MOST_MAPPED_BYTES = 1L << 46;
  private static final long LEAST_IDLE_MILLIS = 100;
  private static final long MOST_GRACE_MILLIS = 600_000;
  private static final long MOST_IDLE_MILLIS = 24L * 60 * 60 * 1000;

  /**
   * Reads and checks.
   *
   * @throws ZeroCopyConfigurationException naming key, value and what is allowed
   */
  static ZeroCopyOptions of(Configuration conf) {
    return new ZeroCopyOptions(
        flag(conf, ENABLED, "true"),
        flag(conf, MAPS_UNCACHED, "false"),
        (int) number(conf, MAX_MAPPINGS, "2048", 1, MOST_MAPPINGS, "a number"),
        number(
            conf,
            MAX_MAPPED_BYTES,
            "256g",
            1,
            MOST_MAPPED_BYTES,
            "bytes, or with the suffix k, m, g or t,"),
        number(conf, IDLE_MILLIS, "300000", LEAST_IDLE_MILLIS, MOST_IDLE_MILLIS, "milliseconds"),
        number(conf, GRACE_MILLIS, "10000", 0, MOST_GRACE_MILLIS, "milliseconds"),
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
      // Refused below, as a number out of range is.
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

  /** Whether another file system's options say the same of what all share. */
  boolean sameLimits(ZeroCopyOptions other) {
    return maxMappings == other.maxMappings
        && maxMappedBytes == other.maxMappedBytes
        && idleMillis == other.idleMillis
        && graceMillis == other.graceMillis
        && debug == other.debug;
  }
}
