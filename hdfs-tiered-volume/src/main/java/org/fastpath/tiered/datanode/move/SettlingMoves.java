package org.fastpath.tiered.datanode.move;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Moves of one file that the NameNode may not know of yet: DataNodes tell it within milliseconds by
 * default, and in the meantime the replica must not be moved a second time. Thread-safe.
 */
final class SettlingMoves {
  /** Longer than DataNodes collect reports for; after it a move is thought to be lost. */
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private record Key(long block, String storageId) {
    static Key of(ReplicaMove move) {
      return new Key(move.block().getBlockId(), move.storageId());
    }
  }

  private final Map<Key, Long> ends = new ConcurrentHashMap<>();

  /** Notes a move that has just ended. */
  void add(ReplicaMove move, long nowNanos) {
    ends.put(Key.of(move), nowNanos + SETTLE_NANOS);
  }

  /** Whether this replica has just been moved away. */
  boolean contains(ReplicaMove move, long nowNanos) {
    Long end = ends.get(Key.of(move));
    return end != null && end - nowNanos > 0;
  }

  /** Whether there are any. */
  boolean any(long nowNanos) {
    ends.values().removeIf(end -> end - nowNanos <= 0);
    return !ends.isEmpty();
  }
}
