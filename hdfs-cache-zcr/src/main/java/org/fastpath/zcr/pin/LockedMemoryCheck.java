package org.fastpath.zcr.pin;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Detects a cluster that locks no memory, or less than the pool's limit. Not thread-safe. */
final class LockedMemoryCheck {
  /** Longer than a DataNode needs to lock and report. */
  static final long PATIENCE_MILLIS = TimeUnit.MINUTES.toMillis(2);

  private final String pool;
  private long hopeful = Long.MIN_VALUE;

  LockedMemoryCheck(String pool) {
    this.pool = pool;
  }

  /**
   * Throws if nothing of the requested memory has been locked for some time.
   *
   * @throws CachePoolException naming the remedy
   */
  void check(PoolState state, long now) throws CachePoolException {
    if (state.neededBytes() == 0 || state.cachedBytes() > 0 || hopeful == Long.MIN_VALUE) {
      hopeful = now;
    }
    if (now - hopeful > PATIENCE_MILLIS) {
      throw new CachePoolException(
          "the DataNodes have locked nothing of cache pool "
              + pool
              + ": set "
              + "dfs.datanode.max.locked.memory (and ulimit -l) of the DataNodes, and"
              + " leave dfs.namenode.caching.enabled of the NameNodes true");
    }
  }

  /**
   * Compares the memory that live DataNodes may lock with the limit.
   *
   * @return a warning if it is less than the pool's limit
   * @throws CachePoolException if they may lock nothing
   */
  Optional<String> checkLockable(PoolState state, long lockable) throws CachePoolException {
    if (lockable == 0) {
      throw new CachePoolException(
          "the DataNodes may lock no memory: set dfs.datanode.max.locked.memory (and ulimit -l) of"
              + " the DataNodes");
    }
    return lockable >= state.limit()
        ? Optional.empty()
        : Optional.of(
            "the live DataNodes may lock "
                + lockable
                + " bytes of memory, less than the limit of cache pool "
                + pool
                + ", "
                + state.limit()
                + " bytes: no more than that is pinned anew");
  }
}
