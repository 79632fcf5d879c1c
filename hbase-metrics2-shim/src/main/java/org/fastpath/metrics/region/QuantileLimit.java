package org.fastpath.metrics.region;

import org.apache.hadoop.conf.Configuration;

/**
 * How many regions have latencies: the key {@code hbase.fastpath.metrics.regions-with-quantiles}.
 */
final class QuantileLimit {
  static final String KEY = "hbase.fastpath.metrics.regions-with-quantiles";
  private static final int DEFAULT = 1000;
  private static final int MOST = 100_000;

  private QuantileLimit() {}

  /**
   * What is configured.
   *
   * @throws IllegalArgumentException naming key, value and what is allowed
   */
  static int of(Configuration configuration) {
    String value = configuration.get(KEY, Integer.toString(DEFAULT)).trim();
    int limit = -1;
    try {
      limit = Integer.parseInt(value);
    } catch (NumberFormatException e) {
      // Not allowed, as a number out of range is not.
    }
    if (limit < 0 || limit > MOST) {
      throw new IllegalArgumentException(
          KEY + " is '" + value + "'; allowed are whole numbers from 0 to " + MOST);
    }
    return limit;
  }
}
