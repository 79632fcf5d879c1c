package org.fastpath.metrics.region;

import org.apache.hadoop.conf.Configuration;

/**
 * Reads the number of regions with latencies: the key {@code
 * hbase.fastpath.metrics.regions-with-quantiles}.
 */
final class QuantileLimit {
  static final String KEY = "hbase.fastpath.metrics.regions-with-quantiles";
  private static final int DEFAULT = 1000;
  private static final int MAX = 100_000;

  private QuantileLimit() {}

  /**
   * Returns the configured value.
   *
   * @throws IllegalArgumentException naming the key, the value and the allowed values
   */
  static int of(Configuration configuration) {
    String value = configuration.get(KEY, Integer.toString(DEFAULT)).trim();
    int limit = -1;
    try {
      limit = Integer.parseInt(value);
    } catch (NumberFormatException e) {
      // not a number: an error, like a number out of range
    }
    if (limit < 0 || limit > MAX) {
      throw new IllegalArgumentException(
          KEY + " is '" + value + "'; allowed are whole numbers from 0 to " + MAX);
    }
    return limit;
  }
}
