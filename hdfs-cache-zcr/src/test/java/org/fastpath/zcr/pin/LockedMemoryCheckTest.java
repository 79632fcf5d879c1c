package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LockedMemoryCheckTest {
  private static final long PATIENCE = LockedMemoryCheck.PATIENCE_MILLIS;

  private final LockedMemoryCheck watch = new LockedMemoryCheck("pool");

  @Test
  void nothingLockedForLongSaysWhatToSet() throws CachePoolException {
    watch.check(pool(1_000, 0), 0);
    watch.check(pool(2_000, 0), PATIENCE);
    assertThatThrownBy(() -> watch.check(pool(2_000, 0), PATIENCE + 1))
        .isInstanceOf(CachePoolException.class)
        .hasMessageContaining("cache pool pool")
        .hasMessageContaining("set dfs.datanode.max.locked.memory");
  }

  @Test
  void somethingLockedOrNothingAskedForBeginsAnew() throws CachePoolException {
    watch.check(pool(1_000, 0), 0);
    watch.check(pool(1_000, 1), PATIENCE);
    watch.check(pool(1_000, 0), 2 * PATIENCE);
    watch.check(pool(0, 0), 3 * PATIENCE);
    assertThatCode(() -> watch.check(pool(1_000, 0), 4 * PATIENCE)).doesNotThrowAnyException();
  }

  @Test
  void dataNodesThatMayLockLessThanTheLimitAreNoObstacle() throws CachePoolException {
    assertThat(watch.checkLockable(pool(1_000, 0), 10_000)).isEmpty();
    assertThat(watch.checkLockable(pool(1_000, 0), 9_999))
        .hasValueSatisfying(line -> assertThat(line).contains("9999 bytes", "cache pool pool"));
    assertThatThrownBy(() -> watch.checkLockable(pool(1_000, 0), 0))
        .hasMessageContaining("may lock no memory: set dfs.datanode.max.locked.memory");
  }

  private static PoolState pool(long needed, long cached) {
    return new PoolState(10_000, needed, cached, 1_000);
  }
}
