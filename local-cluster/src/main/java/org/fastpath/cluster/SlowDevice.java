package org.fastpath.cluster;

import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A device that serves operations one after the other, in the order of arrival. Its state is one
 * number, the time at which it will be free. This is the smallest model with two properties of a
 * volume: concurrent writers share the bandwidth, and a longer queue means a longer wait. A write
 * occupies the queue but waits only for the part beyond the kernel's write-back. Read-ahead
 * precedes the queue, as in disk schedulers, in a fixed ratio to the rest, and makes the queue
 * longer.
 *
 * <p>When the speed changes, the queue is computed again with the new speed, so a recovered device
 * has no debt. As with a disk, a wait cannot be interrupted.
 *
 * <p>Thread-safe.
 */
final class SlowDevice {
  /** The ratio of reads to writes, as in Linux's deadline scheduler. */
  private static final int READS_PER_WRITE = 2;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private VolumeSpeed speed;
  private long freeAtNanos;
  private long readAtNanos;
  private long queuedNanos;

  /**
   * An operation in the queue. It belongs to the thread that requested it, under the device's lock.
   */
  static final class Operation {
    private final long bytes;
    private final VolumeSpeed.Access access;
    private VolumeSpeed speed;
    private long doneAtNanos;

    private Operation(long bytes, VolumeSpeed.Access access) {
      this.bytes = bytes;
      this.access = access;
    }
  }

  SlowDevice(VolumeSpeed speed) {
    this.speed = speed;
    freeAtNanos = System.nanoTime();
    readAtNanos = freeAtNanos;
  }

  VolumeSpeed speed() {
    lock.lock();
    try {
      return speed;
    } finally {
      lock.unlock();
    }
  }

  void speed(VolumeSpeed now) {
    lock.lock();
    try {
      if (!speed.equals(now)) {
        speed = now;
        queuedNanos -= aheadNanos();
        freeAtNanos = System.nanoTime();
        readAtNanos = freeAtNanos;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns the busy time until now. */
  long busyNanos() {
    lock.lock();
    try {
      return queuedNanos - aheadNanos();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the part of the queue that is not served yet. */
  private long aheadNanos() {
    return Math.max(0, freeAtNanos - System.nanoTime());
  }

  /** Takes a place in the queue. */
  Operation enter(long bytes, VolumeSpeed.Access access) {
    Operation operation = new Operation(bytes, access);
    lock.lock();
    try {
      queue(operation);
    } finally {
      lock.unlock();
    }
    return operation;
  }

  /**
   * Waits until the operation is done.
   *
   * @throws IOException if the device fails
   */
  void await(Operation operation) throws IOException {
    boolean interrupted = false;
    lock.lock();
    try {
      while (!isDone(operation)) {
        try {
          pause(operation);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean isDone(Operation operation) throws IOException {
    if (operation.speed != speed) {
      queue(operation);
    }
    if (speed.health() == VolumeSpeed.Health.FAILING) {
      throw new IOException("Input/output error (of a device that is configured to fail)");
    }
    return speed.health() == VolumeSpeed.Health.WORKING
        && operation.doneAtNanos - System.nanoTime() <= 0;
  }

  private void pause(Operation operation) throws InterruptedException {
    if (speed.health() == VolumeSpeed.Health.STUCK) {
      changed.await();
    } else {
      changed.awaitNanos(operation.doneAtNanos - System.nanoTime());
    }
  }

  private void queue(Operation operation) {
    long now = System.nanoTime();
    long occupied = speed.occupiedNanos(operation.bytes, operation.access);
    queuedNanos += occupied;
    freeAtNanos = later(freeAtNanos, now) + occupied;
    operation.speed = speed;
    long doneAtNanos = freeAtNanos;
    if (operation.access == VolumeSpeed.Access.READ_AHEAD) {
      doneAtNanos = later(readAtNanos, now) + occupied;
      long held = later(freeAtNanos, doneAtNanos) - doneAtNanos;
      readAtNanos = doneAtNanos + Math.min(held, occupied / READS_PER_WRITE);
    } else if (operation.access == VolumeSpeed.Access.WRITE) {
      doneAtNanos -= speed.writeBackNanos();
    }
    operation.doneAtNanos = doneAtNanos + speed.latencyNanos();
  }

  private static long later(long nanos, long others) {
    return nanos - others > 0 ? nanos : others;
  }
}
