package org.fastpath.tiered.datanode;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock.WriteLock;

/**
 * The write side of a lock of a block pool, behind which readers do not pile up.
 *
 * <p><b>What it is for.</b> Since HDFS-16534 a DataNode has a lock for each block pool and one for
 * each volume in it. Whoever makes or finalizes a replica holds that of the volume for writing and
 * that of the pool for reading, as long as the disk takes: a slow disk keeps others away from
 * itself only. But the lock is fair: one thread that wants the pool for writing waits for the slow
 * disk, and everybody who comes after it, reader of a block or writer to the fastest volume, waits
 * behind it. Such a thread comes with each replica that is copied or moved here ({@code
 * createTemporary} looks into the map of replicas under this lock), when a volume is taken out, and
 * when an append is recovered. So a disk that takes ten seconds for an operation stops the DataNode
 * for ten seconds with each replica that arrives.
 *
 * <p><b>The idea.</b> The writer queues for a short time, in which readers wait. If it was not
 * enough it steps back, lets four times as long go by in which readers do as they like, looks
 * meanwhile whether nobody is there, and queues twice as long the next time. Readers so lose a
 * fifth of their time at most, the writer waits five times as long as it would at worst, and a lock
 * that is busy with short operations, as on a DataNode whose disks are well, is had at the first
 * attempt as before: 50 ms are more than any operation of a disk that is well.
 *
 * <p>A writer can be passed by for ever where readers overlap that each take longer than it queues.
 * So its patience ends, half a minute by default, and then it queues as it would have at first.
 * What the lock guards it guards as before; only who is let in first is another.
 *
 * <p>Thread-safe. A wait cannot be interrupted, as with the lock that it is.
 */
final class PatientWriteLock implements Lock {
  private static final long FIRST_QUEUE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_QUEUE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int PAUSE_FACTOR = 4;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

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
      queue = Math.min(LONGEST_QUEUE_NANOS, 2 * queue);
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

  /** Lets readers in for a while; whether the lock was free meanwhile, and is had. */
  private boolean stepBack(long nanos) throws InterruptedException {
    LockMetrics.steppedBack();
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < nanos) {
      TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
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
