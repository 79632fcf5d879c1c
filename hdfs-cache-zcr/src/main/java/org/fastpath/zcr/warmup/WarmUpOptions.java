package org.fastpath.zcr.warmup;

import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/**
 * What hbase-site.xml says of warming up, checked.
 *
 * @param limit for how long at most a RegionServer answers requests of its own
 */
record WarmUpOptions(Duration limit) {
  static final String SECONDS = "hbase.fastpath.warm-up.seconds";

  private static final String DEFAULT_SECONDS = "30";
  private static final int MOST_SECONDS = 300;

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException naming the key, its value and what is allowed
   */
  static WarmUpOptions of(Configuration conf) {
    String value = conf.getTrimmed(SECONDS, DEFAULT_SECONDS);
    try {
      int seconds = Integer.parseInt(value);
      if (seconds >= 1 && seconds <= MOST_SECONDS) {
        return new WarmUpOptions(Duration.ofSeconds(seconds));
      }
    } catch (NumberFormatException e) {
      // Refused below, as a number out of range is.
    }
    throw new IllegalArgumentException(
        SECONDS + " is " + value + ", allowed is a whole number from 1 to " + MOST_SECONDS);
  }
}
