package org.fastpath.tiered.datanode;

import static org.fastpath.tiered.Values.flag;
import static org.fastpath.tiered.Values.whole;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.fastpath.tiered.InvalidValueException;

/**
 * The checked configuration of {@link LatencyAwareVolumeChoosingPolicy}. {@link VolumeChooser}
 * gives the reasons of the defaults.
 *
 * @param slowRatio slowness from which a volume is slow
 * @param stallNanos time without an end of any operation, beyond the expected time, that makes a
 *     stall
 * @param windowNanos the time constant of measurements
 * @param errorLimit errors within about a minute that make a volume failing
 * @param probeNanos time until the first probe of an excluded volume
 * @param maxProbeNanos maximum time between probes
 * @param choicesPerProbe minimum number of choices per probe at the maximum time between probes
 * @param balanceFactor maximum preference for free space
 * @param additionalBytes room that a volume must have beyond the replica
 * @param deviceStatistics whether the kernel's I/O statistics of the devices are read
 * @param deviceMillis time between two such reads
 */
record VolumeChoiceOptions(
    double slowRatio,
    long stallNanos,
    long windowNanos,
    int errorLimit,
    long probeNanos,
    long maxProbeNanos,
    int choicesPerProbe,
    double balanceFactor,
    long additionalBytes,
    boolean deviceStatistics,
    long deviceMillis) {
  static final String PREFIX = "dfs.datanode.latency-aware-volume-choosing-policy.";
  static final String SLOW_RATIO = PREFIX + "slow-ratio";
  static final String STALL_MILLIS = PREFIX + "stall-millis";
  static final String WINDOW_MILLIS = PREFIX + "window-millis";
  static final String ERROR_LIMIT = PREFIX + "error-limit";
  static final String PROBE_MILLIS = PREFIX + "probe-millis";
  static final String MAX_PROBE_MILLIS = PREFIX + "max-probe-millis";
  static final String CHOICES_PER_PROBE = PREFIX + "choices-per-probe";
  static final String BALANCE_FACTOR = PREFIX + "balance-factor";
  static final String ADDITIONAL_BYTES = PREFIX + "additional-available-space";
  static final String DEVICE_STATISTICS = PREFIX + "device-statistics";
  static final String DEVICE_MILLIS = PREFIX + "device-statistics-millis";

  /** A literal name, because Hadoop 3.3 has no constant for it. */
  private static final String STOCK_ADDITIONAL_BYTES =
      "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space";

  private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

  /** Returns the options without a configuration: the defaults, and no room beyond the replica. */
  static VolumeChoiceOptions defaults() {
    Configuration conf = new Configuration(false);
    conf.set(ADDITIONAL_BYTES, "0");
    return of(conf);
  }

  /**
   * Reads and checks the keys.
   *
   * @throws InvalidValueException naming the key, the value and the allowed values
   */
  static VolumeChoiceOptions of(Configuration conf) {
    long probeMillis = whole(conf, PROBE_MILLIS, "5000", 100, HOUR_MILLIS, "milliseconds");
    String longest = String.valueOf(Math.max(probeMillis, 60_000));
    return new VolumeChoiceOptions(
        real(conf, SLOW_RATIO, "4", 1.5, 100),
        nanos(whole(conf, STALL_MILLIS, "1000", 10, HOUR_MILLIS, "milliseconds")),
        nanos(whole(conf, WINDOW_MILLIS, "5000", 500, HOUR_MILLIS, "milliseconds")),
        (int) whole(conf, ERROR_LIMIT, "3", 1, 1000, "a number"),
        nanos(probeMillis),
        nanos(whole(conf, MAX_PROBE_MILLIS, longest, probeMillis, HOUR_MILLIS, "milliseconds")),
        (int) whole(conf, CHOICES_PER_PROBE, "256", 1, 1_000_000, "a number"),
        real(conf, BALANCE_FACTOR, "2", 1, 16),
        additionalBytes(conf),
        flag(conf, DEVICE_STATISTICS, "true"),
        whole(conf, DEVICE_MILLIS, "1000", 100, HOUR_MILLIS, "milliseconds"));
  }

  /** Returns the value of the stock policy's key if ours is not set. */
  static long additionalBytes(Configuration conf) {
    return whole(
        conf,
        ADDITIONAL_BYTES,
        conf.getTrimmed(STOCK_ADDITIONAL_BYTES, "1g"),
        0,
        1L << 46,
        "bytes, or with the suffix k, m, g or t,");
  }

  private static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static double real(
      Configuration conf, String key, String otherwise, double least, double most) {
    String value = conf.getTrimmed(key, otherwise);
    try {
      double number = Double.parseDouble(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Rejected below, like a number out of range.
    }
    throw new InvalidValueException(key, value, "a number from " + least + " to " + most);
  }
}
