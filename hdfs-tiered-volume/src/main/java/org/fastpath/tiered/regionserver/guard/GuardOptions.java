package org.fastpath.tiered.regionserver.guard;

import static org.fastpath.tiered.Values.flag;
import static org.fastpath.tiered.Values.whole;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.fastpath.tiered.InvalidValueException;

/**
 * The checked configuration of {@link TierGuard}.
 *
 * @param enabled whether the guard runs
 * @param intervalMillis time between two samples of the load
 * @param sustainedSeconds minimum duration of an overload, and the time constant of the rates
 * @param overloadRatio ratio of demand to capacity that makes an overload
 * @param recoverySeconds time without overload after which it is over
 * @param repeatSeconds minimum time between two warnings
 * @param throttle whether writes are throttled to the capacity
 * @param surveySeconds time between two surveys of the store files
 */
record GuardOptions(
    boolean enabled,
    long intervalMillis,
    long sustainedSeconds,
    double overloadRatio,
    long recoverySeconds,
    long repeatSeconds,
    boolean throttle,
    long surveySeconds) {
  static final String PREFIX = "hbase.fastpath.tier-guard.";
  static final String ENABLED = PREFIX + "enabled";
  static final String INTERVAL_MILLIS = PREFIX + "interval-millis";
  static final String SUSTAINED_SECONDS = PREFIX + "sustained-seconds";
  static final String OVERLOAD_PERCENT = PREFIX + "overload-percent";
  static final String RECOVERY_SECONDS = PREFIX + "recovery-seconds";
  static final String REPEAT_SECONDS = PREFIX + "repeat-seconds";
  static final String THROTTLE = PREFIX + "throttle";
  static final String SURVEY_SECONDS = PREFIX + "survey-seconds";

  /** HBase's key, without which it has no throttle. */
  static final String QUOTAS = "hbase.quota.enabled";

  private static final Set<String> KEYS =
      Set.of(
          ENABLED,
          INTERVAL_MILLIS,
          SUSTAINED_SECONDS,
          OVERLOAD_PERCENT,
          RECOVERY_SECONDS,
          REPEAT_SECONDS,
          THROTTLE,
          SURVEY_SECONDS);

  private static final long HOUR_SECONDS = TimeUnit.HOURS.toSeconds(1);
  private static final long DAY_SECONDS = TimeUnit.DAYS.toSeconds(1);
  private static final double PERCENT = 100;

  /**
   * Reads and checks the keys.
   *
   * @throws InvalidValueException naming the key, the value and the allowed values
   */
  static GuardOptions of(Configuration conf) {
    for (Map.Entry<String, String> entry : conf.getPropsWithPrefix(PREFIX).entrySet()) {
      requireKnown(PREFIX + entry.getKey(), entry.getValue());
    }
    return new GuardOptions(
        flag(conf, ENABLED, "true"),
        whole(conf, INTERVAL_MILLIS, "1000", 100, 60_000, "milliseconds"),
        whole(conf, SUSTAINED_SECONDS, "30", 1, HOUR_SECONDS, "seconds"),
        whole(conf, OVERLOAD_PERCENT, "110", 101, 1000, "percent") / PERCENT,
        whole(conf, RECOVERY_SECONDS, "60", 1, HOUR_SECONDS, "seconds"),
        whole(conf, REPEAT_SECONDS, "1800", 1, DAY_SECONDS, "seconds"),
        throttle(conf),
        whole(conf, SURVEY_SECONDS, "10", 1, HOUR_SECONDS, "seconds"));
  }

  private static void requireKnown(String key, String value) {
    if (!KEYS.contains(key)) {
      throw new InvalidValueException(
          key, value, "nothing: the keys are " + String.join(", ", new TreeSet<>(KEYS)));
    }
  }

  private static boolean throttle(Configuration conf) {
    boolean throttle = flag(conf, THROTTLE, "false");
    if (throttle && !conf.getBoolean(QUOTAS, false)) {
      throw new InvalidValueException(
          THROTTLE,
          "true",
          "false while HBase's quotas are off; to throttle, also set " + QUOTAS + " to true");
    }
    return throttle;
  }
}
