package org.fastpath.tiered.datanode;

import static org.fastpath.tiered.Values.flag;
import static org.fastpath.tiered.Values.whole;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.fastpath.tiered.InvalidValueException;

/**
 * What a DataNode's configuration says of {@link LatencyAwareVolumeChoosingPolicy}, checked. {@link
 * VolumeChooser} says why the defaults are what they are.
 *
 * @param slowRatio from how many times the cost of its peers a volume is slow
 * @param stallNanos how long operations may be in flight with none ending, beyond what they need
 * @param windowNanos the time constant with which measurements are forgotten
 * @param errorLimit errors within a minute or so from which a volume is erring
 * @param probeNanos time until a volume that was left out is probed
 * @param maxProbeNanos what that time grows to
 * @param choicesPerProbe choices for each probe at least, once probes wait for the longest time
 * @param balanceFactor the most by which free space puts a volume before another
 * @param additionalBytes room that a volume must have beyond the replica
 * @param deviceStatistics whether the kernel's I/O statistics of the devices are read
 * @param deviceMillis how often they are
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

  /** By name, as Hadoop 3.3 has no constant for it. */
  private static final String STOCK_ADDITIONAL_BYTES =
      "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space";

  private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

  /** Those of a policy that nobody configures: the defaults, and no room beyond the replica. */
  static VolumeChoiceOptions defaults() {
    Configuration conf = new Configuration(false);
    conf.set(ADDITIONAL_BYTES, "0");
    return of(conf);
  }

  /**
   * Reads and checks.
   *
   * @throws InvalidValueException naming key, value and what is allowed
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

  /** What the stock policy's key says, where ours does not. */
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
      // Refused below, as a number out of range is.
    }
    throw new InvalidValueException(key, value, "a number from " + least + " to " + most);
  }
}
