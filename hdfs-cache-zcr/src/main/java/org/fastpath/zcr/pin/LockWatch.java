package org.fastpath.zcr.pin;

import java.util.concurrent.TimeUnit;

/**
 * Notices DataNodes that lock no memory, where the NameNode does not tell what they may lock. Not
 * thread-safe.
 */
final class LockWatch {
  /** Longer than a DataNode and its reports take. */
  static final long PATIENCE_MILLIS = TimeUnit.MINUTES.toMillis(2);

  private final String pool;
  private long hopeful = Long.MIN_VALUE;

  LockWatch(String pool) {
    this.pool = pool;
  }

  void check(PoolState state, long now) throws CachePoolException {
    if (state.neededBytes() == 0 || state.cachedBytes() > 0 || hopeful == Long.MIN_VALUE) {
      hopeful = now;
    }
    if (now - hopeful > PATIENCE_MILLIS) {
      throw new CachePoolException(
          "the DataNodes have locked nothing of what cache pool "
              + pool
              + " asks for: set dfs.datanode.max.locked.memory (and ulimit -l) of the DataNodes");
    }
  }
}
