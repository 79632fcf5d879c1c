package org.fastpath.zcr.pin;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Notices a cluster that locks no memory, or less than the pool's limit. Not thread-safe. */
final class LockWatch {
  /** Longer than a DataNode and its reports take. */
  static final long PATIENCE_MILLIS = TimeUnit.MINUTES.toMillis(2);

  private final String pool;
  private long hopeful = Long.MIN_VALUE;

  LockWatch(String pool) {
    this.pool = pool;
  }

  /**
   * Fails if for some time nothing has been locked of what is asked for.
   *
   * @throws CachePoolException saying what to set
   */
  void check(PoolState state, long now) throws CachePoolException {
    if (state.neededBytes() == 0 || state.cachedBytes() > 0 || hopeful == Long.MIN_VALUE) {
      hopeful = now;
    }
    if (now - hopeful > PATIENCE_MILLIS) {
      throw new CachePoolException(
          "the DataNodes have locked nothing of what cache pool "
              + pool
              + " asks for: set dfs.datanode.max.locked.memory (and ulimit -l) of the DataNodes, and"
              + " leave dfs.namenode.caching.enabled of the NameNodes true");
    }
  }

  /**
   * Looks at what the live DataNodes may lock.
   *
   * @return a warning if that is less than the pool's limit
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
