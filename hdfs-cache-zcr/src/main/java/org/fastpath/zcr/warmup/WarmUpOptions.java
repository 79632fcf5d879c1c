package org.fastpath.zcr.warmup;

import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/**
 * The checked configuration of the warm-up in hbase-site.xml.
 *
 * @param limit maximum time of the warm-up
 */
record WarmUpOptions(Duration limit) {
  static final String SECONDS = "hbase.fastpath.warm-up.seconds";

  private static final String DEFAULT_SECONDS = "30";
  private static final int MAX_SECONDS = 300;

  /**
   * Reads the key.
   *
   * @throws IllegalArgumentException naming the key, the value and the allowed values
   */
  static WarmUpOptions of(Configuration conf) {
    String value = conf.getTrimmed(SECONDS, DEFAULT_SECONDS);
    try {
      int seconds = Integer.parseInt(value);
      if (seconds >= 1 && seconds <= MAX_SECONDS) {
        return new WarmUpOptions(Duration.ofSeconds(seconds));
      }
    } catch (NumberFormatException e) {
      // Rejected below, like a number out of range.
    }
    throw new IllegalArgumentException(
        SECONDS + " is " + value + ", allowed is a whole number from 1 to " + MAX_SECONDS);
  }
}
