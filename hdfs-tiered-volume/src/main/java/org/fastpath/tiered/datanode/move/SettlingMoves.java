package org.fastpath.tiered.datanode.move;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Finished moves of one file that the NameNode may not know of yet. DataNodes report them within
 * milliseconds by default. Until then, the replica must not be moved a second time. Thread-safe.
 */
final class SettlingMoves {
  /** Longer than DataNodes delay reports; after it a move counts as lost. */
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private record Key(long block, String storageId) {
    static Key of(ReplicaMove move) {
      return new Key(move.block().getBlockId(), move.storageId());
    }
  }

  private final Map<Key, Long> ends = new ConcurrentHashMap<>();

  /** Adds a move that has just ended. */
  void add(ReplicaMove move, long nowNanos) {
    ends.put(Key.of(move), nowNanos + SETTLE_NANOS);
  }

  /** Returns whether this replica has just been moved away. */
  boolean contains(ReplicaMove move, long nowNanos) {
    Long end = ends.get(Key.of(move));
    return end != null && end - nowNanos > 0;
  }

  /** Returns whether there are such moves. */
  boolean any(long nowNanos) {
    ends.values().removeIf(end -> end - nowNanos <= 0);
    return !ends.isEmpty();
  }
}
