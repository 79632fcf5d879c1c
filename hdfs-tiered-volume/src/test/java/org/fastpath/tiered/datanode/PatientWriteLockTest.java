package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.fastpath.cluster.Eventually;
import org.junit.jupiter.api.Test;

/** Tests the order of entry, with a reader that does not end and without one. */
class PatientWriteLockTest {
  private static final int TURNS = 2_000;

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
  private final CountDownLatch slowReaderMayEnd = new CountDownLatch(1);

  private PatientWriteLock patient(long seconds) {
    return new PatientWriteLock(lock.writeLock(), TimeUnit.SECONDS.toNanos(seconds));
  }

  private static CompletableFuture<Void> start(Runnable work) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                work.run();
                end.complete(null);
              } catch (RuntimeException | AssertionError e) {
                end.completeExceptionally(e);
              }
            })
        .start();
    return end;
  }

  private CompletableFuture<Void> slowReader() throws Exception {
    CompletableFuture<Void> end =
        start(
            () -> {
              lock.readLock().lock();
              try {
                slowReaderMayEnd.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              } finally {
                lock.readLock().unlock();
              }
            });
    Eventually.holds(() -> assertThat(lock.getReadLockCount()).isOne());
    return end;
  }

  private CompletableFuture<Void> writer(PatientWriteLock write) {
    return start(
        () -> {
          write.lock();
          write.unlock();
        });
  }

  private void read() {
    lock.readLock().lock();
    lock.readLock().unlock();
  }

  @Test
  void readersPassAWriterThatWaitsForASlowOne() throws Exception {
    CompletableFuture<Void> slow = slowReader();
    CompletableFuture<Void> writer = writer(patient(600));
    Eventually.holds(() -> assertThat(lock.hasQueuedThreads()).isTrue());
    CompletableFuture<Void> readers =
        start(
            () -> {
              for (int i = 0; i < TURNS; i++) {
                read();
              }
            });
    Eventually.holds(() -> assertThat(readers).isDone());
    assertThat(writer).isNotDone();
    slowReaderMayEnd.countDown();
    CompletableFuture.allOf(slow, writer, readers).join();
  }

  @Test
  void aWriterWithoutPatienceQueuesAsStockDoes() throws Exception {
    CompletableFuture<Void> slow = slowReader();
    CompletableFuture<Void> writer = writer(patient(0));
    Eventually.holds(() -> assertThat(lock.hasQueuedThreads()).isTrue());
    CompletableFuture<Void> reader = start(this::read);
    Eventually.holds(() -> assertThat(lock.getQueueLength()).isEqualTo(2));
    assertThat(reader).isNotDone();
    slowReaderMayEnd.countDown();
    CompletableFuture.allOf(slow, writer, reader).join();
  }

  @Test
  void anInterruptDoesNotEndTheWaitAndIsKept() throws Exception {
    CompletableFuture<Void> slow = slowReader();
    PatientWriteLock write = patient(600);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread writer =
        new Thread(
            () -> {
              write.lock();
              write.unlock();
              interrupted.complete(Thread.currentThread().isInterrupted());
            });
    writer.start();
    writer.interrupt();
    Eventually.holds(() -> assertThat(lock.hasQueuedThread(writer)).isTrue());
    writer.interrupt();
    assertThat(interrupted).isNotDone();
    slowReaderMayEnd.countDown();
    assertThat(interrupted.join()).isTrue();
    slow.join();
  }

  @Test
  void writersExcludeAll() {
    PatientWriteLock write = patient(600);
    AtomicInteger inside = new AtomicInteger();
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int t = 0; t < 2; t++) {
      threads.add(start(() -> repeatedly(write, inside)));
      threads.add(start(() -> repeatedlyRead(inside)));
    }
    CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)).join();
  }

  private static void repeatedly(PatientWriteLock write, AtomicInteger inside) {
    for (int i = 0; i < TURNS; i++) {
      write.lock();
      assertThat(inside.getAndIncrement()).isZero();
      inside.decrementAndGet();
      write.unlock();
    }
  }

  /** A reader counts for less than a writer. */
  private void repeatedlyRead(AtomicInteger inside) {
    int reader = 1 << 10;
    for (int i = 0; i < TURNS; i++) {
      lock.readLock().lock();
      assertThat(inside.getAndAdd(reader) % reader).isZero();
      inside.addAndGet(-reader);
      lock.readLock().unlock();
    }
  }
}
