package org.fastpath.tiered.regionserver;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.fastpath.tiered.Values;

/**
 * The checked configuration of the {@link TierKeeper} in {@code hbase-site.xml}.
 *
 * @param periodMillis pause between two rounds
 * @param moves whether the HMaster moves misplaced files or leaves them to another mover
 * @param maxRequests limit of open requests for moves
 * @param retryMillis time until a failed move is requested again
 * @param callsPerSecond limit of calls to the NameNode, including those of requests
 * @param refreshMillis time after which an apparently unchanged directory is listed again
 */
record KeeperOptions(
    long periodMillis,
    boolean moves,
    int maxRequests,
    long retryMillis,
    int callsPerSecond,
    long refreshMillis) {
  private static final String PREFIX = TierRules.PREFIX + "keeper.";
  static final String PERIOD = PREFIX + "period-millis";
  static final String MOVES = PREFIX + "moves";
  static final String MAX_REQUESTS = PREFIX + "max-requests";
  static final String RETRY = PREFIX + "retry-millis";

  static final String CALLS_PER_SECOND = PREFIX + "calls-per-second";
  static final String REFRESH = PREFIX + "refresh-millis";

  /** The keys of a site besides rules. They are no attributes of a table. */
  static final Set<String> KEYS =
      Set.of(PERIOD, MOVES, MAX_REQUESTS, RETRY, CALLS_PER_SECOND, REFRESH);

  private static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);

  /**
   * Reads and checks the keys.
   *
   * @throws org.fastpath.tiered.InvalidValueException naming the key, the value and the allowed
   *     values
   */
  static KeeperOptions of(Configuration conf) {
    return new KeeperOptions(
        Values.millis(conf, PERIOD, "60000", 100, DAY_MILLIS),
        Values.flag(conf, MOVES, "true"),
        (int) Values.whole(conf, MAX_REQUESTS, "1000", 1, 1_000_000, "a number"),
        Values.millis(conf, RETRY, "600000", 100, DAY_MILLIS),
        (int) Values.whole(conf, CALLS_PER_SECOND, "100", 1, 1_000_000, "a number"),
        Values.millis(conf, REFRESH, "21600000", 100, DAY_MILLIS));
  }
}
