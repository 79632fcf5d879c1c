package org.fastpath.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Counters with more threads than slots, with threads that end, and with virtual threads. */
class CounterThreadsTest {
  private static final int THREADS = 2 * ThreadSlots.COUNT + 7;

  /** A counter as it must not be: cells by thread id that more than one thread may own. */
  private static final class Unowned implements Counter {
    private final long[] cells = new long[2];

    @Override
    public void add(long n) {
      cells[(int) Thread.currentThread().getId() & (cells.length - 1)] += n;
    }

    @Override
    public long sum() {
      long sum = 0;
      for (long cell : cells) {
        sum += cell;
      }
      return sum;
    }
  }

  private static long seed(String test) {
    long seed = System.nanoTime();
    System.out.println("CounterThreadsTest." + test + " seed " + seed);
    return seed;
  }

  @Test
  void moreThreadsThanSlots() throws InterruptedException {
    StripedLongs longs = new StripedLongs();
    assertThat(lost(longs.counter(0), 10_000, seed("moreThreadsThanSlots"))).isZero();
  }

  @Test
  void pseudoSource() throws InterruptedException {
    CompactLongs longs = new CompactLongs();
    assertThat(lost(longs.counter(0), 10_000, seed("pseudoSource"))).isZero();
  }

  /** The test above finds a counter that loses additions. */
  @Test
  void cellsWithoutAnOwnerLoseAdditions() throws InterruptedException {
    long lost = 0;
    for (int round = 0; round < 1000 && lost == 0; round++) {
      lost = lost(new Unowned(), 1_000_000, seed("cellsWithoutAnOwnerLoseAdditions"));
    }
    assertThat(lost).isPositive();
  }

  /** Returns the missing additions after all threads, which begin together, have ended. */
  private static long lost(Counter counter, int least, long seed) throws InterruptedException {
    Random random = new Random(seed);
    AtomicLong expected = new AtomicLong();
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int additions = least + random.nextInt(least);
      threads.add(
          new Thread(
              () -> {
                awaitQuietly(begin);
                IntStream.range(0, additions).forEach(n -> counter.increment());
                expected.addAndGet(additions);
              }));
    }
    threads.forEach(Thread::start);
    begin.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    return expected.get() - counter.sum();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Slots change owners all the time; a reader's sum never decreases. */
  @Test
  void threadsThatEndLeaveTheirSlotsToOthers() throws InterruptedException {
    Counter counter = new StripedLongs().counter(7);
    Random random = new Random(seed("threadsThatEndLeaveTheirSlotsToOthers"));
    AtomicBoolean ended = new AtomicBoolean();
    AtomicBoolean wentBack = new AtomicBoolean();
    Thread reader = new Thread(() -> wentBack.set(goesBack(counter, ended)));
    reader.start();
    AtomicInteger owners = new AtomicInteger();
    long expected = 0;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 20 * ThreadSlots.COUNT; i++) {
      int additions = random.nextInt(500);
      expected += additions;
      Thread thread =
          new Thread(
              () -> {
                IntStream.range(0, additions).forEach(n -> counter.increment());
                owners.addAndGet(ThreadSlots.current() >= 0 ? 1 : 0);
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    ended.set(true);
    reader.join();
    assertThat(counter.sum()).isEqualTo(expected);
    assertThat(wentBack).isFalse();
    assertThat(owners.get()).isGreaterThan(ThreadSlots.COUNT);
  }

  private static boolean goesBack(Counter counter, AtomicBoolean ended) {
    boolean back = false;
    long before = 0;
    while (!ended.get()) {
      long sum = counter.sum();
      back |= sum < before;
      before = sum;
    }
    return back;
  }

  @Test
  void aSlotHasOneLivingOwnerAndThenAnother() throws Exception {
    Counter counter = new StripedLongs().counter(0);
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch owned = new CountDownLatch(1);
    int[] slot = new int[1];
    Thread owner =
        new Thread(
            () -> {
              counter.add(10);
              slot[0] = ThreadSlots.current();
              owned.countDown();
              awaitQuietly(end);
            });
    owner.start();
    owned.await();
    assertThat(slot[0]).isNotNegative();

    Callable<Integer> addition =
        () -> {
          counter.add(100);
          return ThreadSlots.current();
        };
    assertThat(ofSlot(slot[0], addition)).isEqualTo(-1);
    assertThat(counter.sum()).isEqualTo(110);
    end.countDown();
    owner.join();
    assertThat(ofSlot(slot[0], addition)).isEqualTo(slot[0]);
    assertThat(counter.sum()).isEqualTo(210);
  }

  /** Returns the result of the work on a thread with this slot. Thread ids are sequential. */
  private static <T> T ofSlot(int slot, Callable<T> work) throws Exception {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task);
    while (((int) thread.getId() & (ThreadSlots.COUNT - 1)) != slot) {
      thread = new Thread(task);
    }
    thread.start();
    return task.get();
  }

  @Test
  void virtualThreads() throws Exception {
    assumeTrue(Runtime.version().feature() >= 21, "this JDK has no virtual threads");
    Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
    Counter counter = new StripedLongs().counter(0);
    Distributed histogram =
        new StripedHistogram(new StripedLongs().counter(0), new StripedLongs().counter(1));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      Runnable work =
          () -> {
            for (int n = 0; n < 500; n++) {
              counter.increment();
              histogram.record(n);
              if (n % 100 == 0) {
                Thread.yield();
              }
            }
          };
      threads.add((Thread) start.invoke(null, work));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(counter.sum()).isEqualTo(1_000_000);
    assertThat(histogram.count()).isEqualTo(1_000_000);
  }
}
