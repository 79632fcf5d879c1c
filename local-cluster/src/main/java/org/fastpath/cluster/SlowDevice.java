package org.fastpath.cluster;

import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A device that serves one operation after the other, in the order in which they came: its time
 * line is a single number, the time at which it will be free. That is the least model with the two
 * properties that matter to a choice of volumes: concurrent writers share the bandwidth, and a
 * longer queue means a longer wait. A write waits only for what of the queue is beyond the kernel's
 * write-back, and has its place in it all the same. What is read ahead goes before all that, as
 * schedulers of disks have it, but for half as much of the rest; the queue is longer by it.
 *
 * <p>When the speed changes, what waits is queued again under the new one: a device that recovers
 * does not owe the time that it was slow. As of a disk, nobody can be interrupted out of it.
 *
 * <p>Thread-safe.
 */
final class SlowDevice {
  /** For how much that is read as much is written, as Linux's deadline scheduler has it. */
  private static final int READS_PER_WRITE = 2;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private VolumeSpeed speed;
  private long freeAtNanos;
  private long readAtNanos;
  private long queuedNanos;

  /** An operation in the queue; of the thread that asked for it, under the device's lock. */
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

  /** For how long it has been occupied until now. */
  long busyNanos() {
    lock.lock();
    try {
      return queuedNanos - aheadNanos();
    } finally {
      lock.unlock();
    }
  }

  /** The part of the queue that is yet to be served. */
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
      throw new IOException("Input/output error (of a device that is to fail)");
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
