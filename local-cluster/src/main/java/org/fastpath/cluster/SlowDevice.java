package org.fastpath.cluster;

import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A device that serves one operation after the other, in the order in which they came: its time
 * line is a single number, the time at which it will be free. That is the least model with the two
 * properties that matter to a choice of volumes: concurrent writers share the bandwidth, and a
 * longer queue means a longer wait. A write waits only for what of the queue is beyond the kernel's
 * write-back, and has its place in it all the same.
 *
 * <p>When the speed changes, what waits is queued again under the new one: a device that recovers
 * does not owe the time that it was slow. As of a disk, nobody can be interrupted out of it.
 *
 * <p>Thread-safe.
 */
final class SlowDevice {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private VolumeSpeed speed;
  private long freeAtNanos;
  private long queuedNanos;

  /** An operation in the queue; of the thread that asked for it, under the device's lock. */
  static final class Operation {
    private final long bytes;
    private final boolean write;
    private VolumeSpeed speed;
    private long doneAtNanos;

    private Operation(long bytes, boolean write) {
      this.bytes = bytes;
      this.write = write;
    }
  }

  SlowDevice(VolumeSpeed speed) {
    this.speed = speed;
    freeAtNanos = System.nanoTime();
  }

  void speed(VolumeSpeed now) {
    lock.lock();
    try {
      if (!speed.equals(now)) {
        speed = now;
        queuedNanos -= aheadNanos();
        freeAtNanos = System.nanoTime();
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

  /**
   * Takes a place in the queue.
   *
   * @param write whether a kernel may hold it back, and return
   */
  Operation enter(long bytes, boolean write) {
    Operation operation = new Operation(bytes, write);
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
    long begin = freeAtNanos - now > 0 ? freeAtNanos : now;
    long occupied = speed.occupiedNanos(operation.bytes, operation.write);
    queuedNanos += occupied;
    freeAtNanos = begin + occupied;
    operation.speed = speed;
    operation.doneAtNanos =
        freeAtNanos + speed.latencyNanos() - (operation.write ? speed.writeBackNanos() : 0);
  }
}
