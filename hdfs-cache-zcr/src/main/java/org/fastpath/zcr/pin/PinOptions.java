package org.fastpath.zcr.pin;

import java.time.Duration;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/**
 * The checked configuration of pinning in hbase-site.xml.
 *
 * @param enabled whether files are pinned
 * @param pool the cache pool
 * @param limit bytes of memory for the whole pool, if set; a lower limit of the pool applies
 * @param policy of tables and families without one
 * @param replication number of locked replicas of each block
 * @param intervalMillis time between two rounds
 * @param halfLifeMillis of heat
 * @param leaseMillis time after which an unrenewed directive expires
 * @param compactionWaitMillis maximum wait of a compaction for its output in memory
 * @param limits of a round, without the bytes, which depend on the pool
 */
record PinOptions(
    boolean enabled,
    String pool,
    OptionalLong limit,
    PinPolicy policy,
    short replication,
    long intervalMillis,
    long halfLifeMillis,
    long leaseMillis,
    long compactionWaitMillis,
    PinLimits limits) {
  private static final String PREFIX = "hbase.fastpath.hdfs-cache.";
  static final String ENABLED = PREFIX + "enabled";
  static final String POOL = PREFIX + "pool";
  static final String LIMIT = PREFIX + "limit";
  static final String POLICY = PREFIX + "policy";
  static final String REPLICATION = PREFIX + "replication";
  static final String INTERVAL = PREFIX + "interval-seconds";
  static final String HALF_LIFE = PREFIX + "half-life-seconds";
  static final String LEASE = PREFIX + "lease-seconds";
  static final String COMPACTION_WAIT = PREFIX + "compaction-wait-seconds";
  static final String RESERVE = PREFIX + "reserve";
  static final String FACTOR = PREFIX + "factor";
  static final String CHANGES = PREFIX + "changes-per-round";

  private static final String DEFAULT_POOL = "hbase-fastpath";
  private static final long MIN_LIMIT = 1L << 20;
  private static final long MAX_LIMIT = 1L << 50;
  private static final int DEFAULT_REPLICATION = 3;
  private static final int MAX_REPLICATION = 512;

  static PinOptions of(Configuration conf) {
    int replication =
        conf.getTrimmed(REPLICATION, "").isEmpty()
            ? conf.getInt("dfs.replication", DEFAULT_REPLICATION)
            : (int) whole(conf, REPLICATION, DEFAULT_REPLICATION, 1, MAX_REPLICATION);
    return new PinOptions(
        flag(conf),
        pool(conf),
        limit(conf),
        policy(conf),
        (short) replication,
        seconds(conf, INTERVAL, 30, 1, 3_600),
        seconds(conf, HALF_LIFE, 600, 1, 864_000),
        seconds(conf, LEASE, 86_400, 10, 864_000),
        seconds(conf, COMPACTION_WAIT, 30, 0, 600),
        new PinLimits(
            0,
            fraction(conf, RESERVE, 0.1, 0, 0.9),
            fraction(conf, FACTOR, 2, 1, 1_000),
            (int) whole(conf, CHANGES, 32, 1, 100_000)));
  }

  private static boolean flag(Configuration conf) {
    String value = conf.getTrimmed(ENABLED, "true");
    if (!value.equals("true") && !value.equals("false")) {
      throw new PinConfigurationException(ENABLED, value, "true or false");
    }
    return value.equals("true");
  }

  private static String pool(Configuration conf) {
    String pool = conf.getTrimmed(POOL, "");
    return pool.isEmpty() ? DEFAULT_POOL : pool;
  }

  private static PinPolicy policy(Configuration conf) {
    String value = conf.getTrimmed(POLICY, PinPolicy.AUTO.name());
    return PinPolicy.of(value)
        .orElseThrow(() -> new PinConfigurationException(POLICY, value, "ALWAYS or AUTO or NEVER"));
  }

  private static OptionalLong limit(Configuration conf) {
    String value = conf.getTrimmed(LIMIT, "");
    if (value.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      long bytes = TraditionalBinaryPrefix.string2long(value);
      if (bytes >= MIN_LIMIT && bytes <= MAX_LIMIT) {
        return OptionalLong.of(bytes);
      }
    } catch (IllegalArgumentException e) {
      // Rejected below, like a number out of range.
    }
    throw new PinConfigurationException(
        LIMIT, value, "a number of bytes, or one with the suffix k, m, g or t, from 1 m to 1024 t");
  }

  private static long seconds(
      Configuration conf, String key, long otherwise, long least, long most) {
    return Duration.ofSeconds(whole(conf, key, otherwise, least, most)).toMillis();
  }

  private static long whole(Configuration conf, String key, long otherwise, long least, long most) {
    String value = conf.getTrimmed(key, Long.toString(otherwise));
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Rejected below, like a number out of range.
    }
    throw new PinConfigurationException(key, value, "a whole number from " + least + " to " + most);
  }

  static double fraction(
      Configuration conf, String key, double otherwise, double least, double most) {
    String value = conf.getTrimmed(key, Double.toString(otherwise));
    try {
      double number = Double.parseDouble(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Rejected below, like a number out of range.
    }
    throw new PinConfigurationException(key, value, "a number from " + least + " to " + most);
  }
}
