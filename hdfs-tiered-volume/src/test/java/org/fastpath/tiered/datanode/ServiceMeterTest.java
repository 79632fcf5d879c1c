package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Busy time is that in which anything was in flight, counted once. */
class ServiceMeterTest {
  private static final long MILLI = 1_000_000;
  private static final int ROUNDS = 20_000;

  private final ServiceMeter meter = new ServiceMeter();

  @Test
  void operationsSideBySideCountOnce() {
    meter.begin(0);
    meter.begin(10 * MILLI);
    meter.end(30 * MILLI, 7);
    assertThat(meter.inFlight()).isOne();
    meter.end(40 * MILLI, 5);
    meter.begin(100 * MILLI);
    meter.end(101 * MILLI, 6);

    assertThat(meter.busyNanos(200 * MILLI)).isEqualTo(41 * MILLI);
    assertThat(meter.waitNanos(200 * MILLI)).isEqualTo(61 * MILLI);
    assertThat(meter.work()).isEqualTo(18);
    assertThat(meter.workPerOperation()).isEqualTo(6);
  }

  @Test
  void timeInFlightCountsAsItPasses() {
    meter.begin(0);
    assertThat(meter.busyNanos(64_000)).isEqualTo(64_000);
    assertThat(meter.stalledNanos(64_000)).isEqualTo(64_000);
    meter.begin(64_000);
    assertThat(meter.waitNanos(128_000)).isEqualTo(192_000);
  }

  @Test
  void aStallBeginsWithTheLastEndOrTheFirstBegin() {
    meter.begin(0);
    meter.begin(5 * MILLI);
    meter.end(8 * MILLI, 1);
    assertThat(meter.stalledNanos(10 * MILLI)).isEqualTo(2 * MILLI);
    meter.fail(11 * MILLI);
    assertThat(meter.stalledNanos(90 * MILLI)).isZero();
    meter.begin(100 * MILLI);
    assertThat(meter.stalledNanos(101 * MILLI)).isEqualTo(MILLI);
    assertThat(meter.work()).isOne();
  }

  @Test
  void aClockReadBeforeAnotherThreadsCountsNothing() {
    meter.begin(20 * MILLI);
    meter.begin(19 * MILLI);
    meter.end(30 * MILLI, 1);
    meter.end(29 * MILLI, 1);
    assertThat(meter.busyNanos(50 * MILLI)).isEqualTo(10 * MILLI);
  }

  @Test
  void timeMayWrap() {
    long before = (1L << 54) - MILLI;
    meter.begin(before);
    meter.begin(before + 2 * MILLI);
    assertThat(meter.busyNanos(before + 3 * MILLI)).isEqualTo(3 * MILLI);
    assertThat(meter.inFlight()).isEqualTo(2);
  }

  @Test
  void nothingIsLostBetweenThreads() throws InterruptedException {
    int threads = 4;
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                awaitQuietly(start);
                for (int round = 0; round < ROUNDS; round++) {
                  meter.begin(System.nanoTime());
                  meter.end(System.nanoTime(), 3);
                }
              });
      thread.start();
      all.add(thread);
    }
    long begin = System.nanoTime();
    start.countDown();
    for (Thread thread : all) {
      thread.join();
    }
    long end = System.nanoTime();

    assertThat(meter.inFlight()).isZero();
    assertThat(meter.work()).isEqualTo(3L * threads * ROUNDS);
    assertThat(meter.busyNanos(end)).isBetween(1L, end - begin);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
