package org.fastpath.tiered.datanode.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.fastpath.tiered.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MoveLimitsTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void bytesPerSecondAreKept() {
    MovePacer pacer = new MovePacer(100);
    assertThat(pacer.book(50, -7 * SECOND)).isZero();
    assertThat(pacer.book(100, -7 * SECOND)).isEqualTo(SECOND / 2);
    assertThat(pacer.book(10, -7 * SECOND)).isEqualTo(3 * SECOND / 2);
    assertThat(pacer.book(10, 7 * SECOND)).as("what was not used is not saved up").isZero();
    assertThat(pacer.book(10, 7 * SECOND)).isEqualTo(SECOND / 10);
  }

  @Test
  void atMostSoManyMovesAtATimeAndPerDataNode() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    CountDownLatch ended = new CountDownLatch(60);
    ReplicaTransfer transfer =
        move -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          try {
            Thread.sleep(2);
          } catch (InterruptedException e) {
            throw new IOException(e);
          } finally {
            now.decrementAndGet();
          }
          if (move.block().getBlockId() % 3 == 0) {
            throw new IOException("refused");
          }
        };
    MoveDispatcher.Listener listener =
        new MoveDispatcher.Listener() {
          @Override
          public boolean isWanted() {
            return true;
          }

          @Override
          public void dropped(ReplicaMove move) {
            throw new AssertionError("it is wanted");
          }

          @Override
          public void moved(ReplicaMove move) {
            ended.countDown();
          }

          @Override
          public void failed(ReplicaMove move, Exception why) {
            failed.incrementAndGet();
            ended.countDown();
          }
        };
    Configuration conf = new Configuration(false);
    conf.set(MoveOptions.BANDWIDTH, "1t");
    conf.set(MoveOptions.MAX_MOVES, "3");
    conf.set(MoveOptions.MAX_MOVES_PER_DATANODE, "2");
    try (MoveDispatcher dispatcher = new MoveDispatcher(MoveOptions.of(conf), transfer)) {
      for (int i = 0; i < 30; i++) {
        dispatcher.dispatch(move(i, "a", "a"), listener);
      }
      assertThat(most).hasValueLessThanOrEqualTo(2);
      for (int i = 0; i < 30; i++) {
        dispatcher.dispatch(move(i, "s" + i, "t" + i), listener);
      }
      ended.await();
      assertThat(most).hasValueLessThanOrEqualTo(3);
      assertThat(failed).hasValue(20);
    }
  }

  /** As four files that wait for one busy DataNode, while another file could move. */
  @Test
  void aBusyDataNodeHoldsUpNoOther() throws Exception {
    CountDownLatch busyMayEnd = new CountDownLatch(1);
    CountDownLatch otherMoved = new CountDownLatch(1);
    ReplicaTransfer transfer =
        move -> {
          if (move.source().getDatanodeUuid().equals("busy")) {
            awaitQuietly(busyMayEnd);
          }
        };
    CountDownLatch ended = new CountDownLatch(101);
    MoveDispatcher.Listener listener =
        new MoveDispatcher.Listener() {
          @Override
          public boolean isWanted() {
            return true;
          }

          @Override
          public void moved(ReplicaMove move) {
            if (move.source().getDatanodeUuid().equals("other")) {
              otherMoved.countDown();
            }
            ended.countDown();
          }

          @Override
          public void failed(ReplicaMove move, Exception why) {
            throw new AssertionError(why);
          }

          @Override
          public void dropped(ReplicaMove move) {
            throw new AssertionError("it is wanted");
          }
        };
    Configuration conf = new Configuration(false);
    conf.set(MoveOptions.BANDWIDTH, "1t");
    conf.set(MoveOptions.MAX_MOVES_PER_DATANODE, "2");
    try (MoveDispatcher dispatcher = new MoveDispatcher(MoveOptions.of(conf), transfer)) {
      for (int i = 0; i < 100; i++) {
        dispatcher.dispatch(move(i, "busy", "busy"), listener);
      }
      assertThat(dispatcher.waiting()).isEqualTo(98);
      dispatcher.dispatch(move(100, "other", "other"), listener);
      assertThat(otherMoved.await(2, TimeUnit.MINUTES)).isTrue();
      busyMayEnd.countDown();
      assertThat(ended.await(2, TimeUnit.MINUTES)).isTrue();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ReplicaMove move(int block, String source, String target) {
    return new ReplicaMove(
        new ExtendedBlock("pool", block, 1, 1),
        node(source),
        "storage",
        StorageType.DISK,
        node(target),
        StorageType.SSD);
  }

  private static DatanodeInfo node(String name) {
    return new DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("127.0.0.1", name, name, 1, 2, 3, 4))
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    "dfs.fastpath.move.queue, moves, the absolute path of a directory",
    "dfs.fastpath.move.queue, /, the absolute path of a directory",
    "dfs.fastpath.move.bandwidth, 1, bytes a second",
    "dfs.fastpath.move.bandwidth, fast, bytes a second",
    "dfs.fastpath.move.max-moves, 0, a number from 1 to 1024",
    "dfs.fastpath.move.max-moves-per-datanode, 2k, a number from 1 to 1024",
    "dfs.fastpath.move.attempts, 0, a number from 1 to 1000",
    "dfs.fastpath.move.backoff-millis, 9, milliseconds from 10 to 3600000",
    "dfs.fastpath.move.poll-millis, -1, milliseconds from 10 to 3600000",
    "dfs.fastpath.move.group, two groups, the name of one group",
    "dfs.fastpath.move.lease-millis, 499, milliseconds from 500 to 3600000",
  })
  void aWrongValueIsOneClearError(String key, String value, String allowed) {
    Configuration conf = new Configuration(false);
    conf.set(key, value);
    assertThatThrownBy(() -> MoveOptions.of(conf))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith(key + " is " + value + ", allowed is " + allowed);
  }
}
