package org.fastpath.tiered.datanode;

import static org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel.BLOCK_POOl;
import static org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel.VOLUME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.hdfs.server.datanode.DataSetLockManager;
import org.fastpath.tiered.TierFeatures;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which locks exclude each other; the result is the same as with HDFS's locks. */
class PoolLocksTest {
  @BeforeAll
  static void requireVerifiedLocks() {
    assumeTrue(TierFeatures.check(TierFeatures.TIERED_DATASET), "it stays off on this version");
  }

  private static final String POOL = "BP-1";
  private static final String OTHER_POOL = "BP-2";

  static Stream<DataSetLockManager> locks() {
    Configuration conf = new Configuration(false);
    return Stream.of(
        new DataSetLockManager(conf), new PoolLocks(conf, true, TimeUnit.MINUTES.toNanos(10)));
  }

  /** Another thread that takes a lock and gives it back. */
  private static CompletableFuture<Void> other(
      DataSetLockManager locks, boolean write, LockLevel level, String... names) {
    return CompletableFuture.runAsync(
        () -> lock(locks, write, level, names).close(), work -> new Thread(work).start());
  }

  private static AutoCloseDataSetLock lock(
      DataSetLockManager locks, boolean write, LockLevel level, String... names) {
    return write ? locks.writeLock(level, names) : locks.readLock(level, names);
  }

  private static void waits(CompletableFuture<Void> other, AutoCloseDataSetLock held) {
    assertThat(other).isNotDone();
    held.close();
    other.join();
  }

  @ParameterizedTest
  @MethodSource("locks")
  void aVolumeThatIsWrittenExcludesItselfAndWhoWritesThePool(DataSetLockManager locks) {
    AutoCloseDataSetLock held = locks.writeLock(VOLUME, POOL, "DS-1");
    other(locks, true, VOLUME, POOL, "DS-2").join();
    other(locks, false, BLOCK_POOl, POOL).join();
    other(locks, true, VOLUME, OTHER_POOL, "DS-1").join();
    waits(other(locks, false, VOLUME, POOL, "DS-1"), held);

    held = locks.writeLock(VOLUME, POOL, "DS-1");
    waits(other(locks, true, BLOCK_POOl, POOL), held);
    locks.writeLock(BLOCK_POOl, POOL).close();
  }

  @ParameterizedTest
  @MethodSource("locks")
  void readersOfAVolumeExcludeWritersOnly(DataSetLockManager locks) {
    AutoCloseDataSetLock held = locks.readLock(VOLUME, POOL, "DS-1");
    other(locks, false, VOLUME, POOL, "DS-1").join();
    waits(other(locks, true, VOLUME, POOL, "DS-1"), held);
  }

  @ParameterizedTest
  @MethodSource("locks")
  void aPoolThatIsWrittenExcludesAllOfIt(DataSetLockManager locks) {
    AutoCloseDataSetLock held = locks.writeLock(BLOCK_POOl, POOL);
    other(locks, true, VOLUME, OTHER_POOL, "DS-1").join();
    CompletableFuture<Void> reader = other(locks, false, BLOCK_POOl, POOL);
    waits(other(locks, false, VOLUME, POOL, "DS-1"), held);
    reader.join();
  }

  @ParameterizedTest
  @MethodSource("locks")
  void oneThatIsThereStaysWhenItIsAddedAgain(DataSetLockManager locks) {
    locks.addLock(BLOCK_POOl, POOL);
    locks.addLock(VOLUME, POOL, "DS-1");
    AutoCloseDataSetLock held = locks.writeLock(VOLUME, POOL, "DS-1");
    locks.addLock(VOLUME, POOL, "DS-1");
    waits(other(locks, true, VOLUME, POOL, "DS-1"), held);
  }

  @ParameterizedTest
  @MethodSource("locks")
  void oneThatWasRemovedIsThereAgainWhenItIsTaken(DataSetLockManager locks) {
    locks.addLock(VOLUME, POOL, "DS-1");
    locks.removeLock(VOLUME, POOL, "DS-1");
    locks.removeLock(BLOCK_POOl, POOL);
    AutoCloseDataSetLock held = locks.writeLock(VOLUME, POOL, "DS-1");
    waits(other(locks, true, BLOCK_POOl, POOL), held);
  }

  /** HDFS's keep the pool then. */
  @Test
  void aLockWithoutANameIsRefusedAndNothingIsHeld() {
    DataSetLockManager locks = new PoolLocks(new Configuration(false), true, 0);
    assertThatThrownBy(() -> locks.readLock(BLOCK_POOl, (String) null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> locks.writeLock(VOLUME, POOL, null))
        .isInstanceOf(IllegalArgumentException.class);
    locks.writeLock(BLOCK_POOl, POOL).close();
  }
}
