package org.fastpath.tiered.datanode;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock.WriteLock;

/**
 * The write side of a block pool's lock. A waiting writer does not block the readers behind it.
 *
 * <p><b>Problem.</b> Since HDFS-16534 a DataNode has a lock for each block pool and one for each
 * volume in it. A thread that makes or finalizes a replica holds the volume's lock for writing and
 * the pool's lock for reading. It holds both for the whole disk operation, so a slow disk delays
 * only its own replicas. But the lock is fair. If a thread requests the pool's lock for writing, it
 * waits for the slow disk. All later threads wait behind it, including readers of blocks and
 * writers to the fastest volume. Each replica that is copied or moved here requests that lock
 * ({@code createTemporary} searches the map of replicas under it). So do the removal of a volume
 * and the recovery of an append. If a disk needs ten seconds for an operation, each such replica
 * stops the DataNode for ten seconds.
 *
 * <p><b>Method.</b> The writer queues for a short time, in which readers wait. If it does not get
 * the lock, it steps back for four times as long. Readers proceed meanwhile, and the writer polls
 * whether the lock is free. It then queues twice as long as before. So readers lose at most a fifth
 * of their time, and the writer waits at most five times as long. On a DataNode with healthy disks,
 * the first attempt succeeds as before: 50 ms exceed any operation of a healthy disk.
 *
 * <p>Overlapping readers could delay a writer for ever if each needs longer than the writer queues.
 * So after a limit, half a minute by default, the writer queues without stepping back. The lock
 * protects the same data as before; only the order of entry differs.
 *
 * <p>Thread-safe. As with the stock lock, a wait cannot be interrupted.
 */
final class PatientWriteLock implements Lock {
  private static final long FIRST_QUEUE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long MAX_QUEUE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int PAUSE_FACTOR = 4;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final WriteLock lock;
  private final long patienceNanos;

  PatientWriteLock(WriteLock lock, long patienceNanos) {
    this.lock = lock;
    this.patienceNanos = patienceNanos;
  }

  @Override
  public void lock() {
    long begin = System.nanoTime();
    boolean interrupted = false;
    long queue = FIRST_QUEUE_NANOS;
    boolean locked = lock.tryLock();
    while (!locked && System.nanoTime() - begin < patienceNanos) {
      try {
        locked = lock.tryLock(queue, TimeUnit.NANOSECONDS) || stepBack(PAUSE_FACTOR * queue);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      queue = Math.min(MAX_QUEUE_NANOS, 2 * queue);
    }
    if (!locked) {
      LockMetrics.impatient();
      lock.lock();
    }
    LockMetrics.waited(System.nanoTime() - begin);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets readers in for a while. Returns whether it got the lock because it was free meanwhile. */
  private boolean stepBack(long nanos) throws InterruptedException {
    LockMetrics.steppedBack();
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < nanos) {
      TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
      if (lock.tryLock()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void unlock() {
    lock.unlock();
  }

  @Override
  public boolean tryLock() {
    return lock.tryLock();
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return lock.tryLock(time, unit);
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    lock.lockInterruptibly();
  }

  @Override
  public Condition newCondition() {
    return lock.newCondition();
  }
}
