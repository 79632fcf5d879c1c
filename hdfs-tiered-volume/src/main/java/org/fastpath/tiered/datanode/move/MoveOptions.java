package org.fastpath.tiered.datanode.move;

import static org.fastpath.tiered.Values.whole;

import org.apache.hadoop.conf.Configuration;
import org.fastpath.tiered.InvalidValueException;

/**
 * The checked configuration of moves.
 *
 * @param queue the directory of HDFS that holds the requests
 * @param bytesPerSecond limit over all DataNodes
 * @param maxMoves limit of concurrent moves of replicas
 * @param maxMovesPerDataNode limit of concurrent moves from or to one DataNode
 * @param attempts attempts for a file in a row without a moved replica
 * @param backoffMillis pause between the first two attempts; doubled each time
 * @param pollMillis time between two polls of the queue
 * @param group its members may make requests; empty if HDFS chooses it
 * @param leaseMillis time without a renewal after which another mover takes over
 */
record MoveOptions(
    String queue,
    long bytesPerSecond,
    int maxMoves,
    int maxMovesPerDataNode,
    int attempts,
    long backoffMillis,
    long pollMillis,
    String group,
    long leaseMillis) {
  private static final String PREFIX = "dfs.fastpath.move.";
  static final String QUEUE = PREFIX + "queue";
  static final String BANDWIDTH = PREFIX + "bandwidth";
  static final String MAX_MOVES = PREFIX + "max-moves";
  static final String MAX_MOVES_PER_DATANODE = PREFIX + "max-moves-per-datanode";
  static final String ATTEMPTS = PREFIX + "attempts";
  static final String BACKOFF = PREFIX + "backoff-millis";
  static final String POLL = PREFIX + "poll-millis";
  static final String GROUP = PREFIX + "group";
  static final String LEASE = PREFIX + "lease-millis";

  private static final long HOUR_MILLIS = 60L * 60 * 1000;
  private static final String MILLIS = "milliseconds";

  /**
   * Reads and checks the keys.
   *
   * @throws InvalidValueException naming the key, the value and the allowed values
   */
  static MoveOptions of(Configuration conf) {
    return new MoveOptions(
        queue(conf),
        whole(conf, BANDWIDTH, "100m", 1 << 10, 1L << 40, "bytes a second, or with k, m, g or t,"),
        (int) whole(conf, MAX_MOVES, "16", 1, 1_024, "a number"),
        (int) whole(conf, MAX_MOVES_PER_DATANODE, "4", 1, 1_024, "a number"),
        (int) whole(conf, ATTEMPTS, "10", 1, 1_000, "a number"),
        whole(conf, BACKOFF, "1000", 10, HOUR_MILLIS, MILLIS),
        whole(conf, POLL, "500", 10, HOUR_MILLIS, MILLIS),
        group(conf),
        whole(conf, LEASE, "15000", 500, HOUR_MILLIS, MILLIS));
  }

  private static String group(Configuration conf) {
    String value = conf.getTrimmed(GROUP, "");
    if (value.chars().anyMatch(c -> Character.isWhitespace(c) || c == ':' || c == ',')) {
      throw new InvalidValueException(GROUP, value, "the name of one group");
    }
    return value;
  }

  private static String queue(Configuration conf) {
    String value = conf.getTrimmed(QUEUE, "/system/fastpath-moves");
    if (!value.startsWith("/") || value.equals("/")) {
      throw new InvalidValueException(QUEUE, value, "the absolute path of a directory");
    }
    return value;
  }
}
