package org.fastpath.tiered.regionserver;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.fastpath.tiered.Values;

/**
 * What {@code hbase-site.xml} says of the {@link TierKeeper} itself, checked.
 *
 * @param periodMillis pause between two rounds
 * @param moves whether the HMaster moves what is misplaced, or leaves it to another mover
 * @param maxRequests how many requests of moves are open at a time
 * @param retryMillis after which a move that was given up is requested again
 * @param callsPerSecond to the NameNode, those that requests cost included
 * @param refreshMillis after which a directory is listed again whose files seem to be the same
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

  /** What a site may have beside rules; nothing for a table. */
  static final Set<String> KEYS =
      Set.of(PERIOD, MOVES, MAX_REQUESTS, RETRY, CALLS_PER_SECOND, REFRESH);

  private static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);

  /**
   * Reads and checks.
   *
   * @throws org.fastpath.tiered.InvalidValueException naming key, value and what is allowed
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
