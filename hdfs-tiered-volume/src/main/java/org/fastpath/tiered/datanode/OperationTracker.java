package org.fastpath.tiered.datanode;

import java.lang.ref.WeakReference;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Notes which operation each thread runs, so that every operation ends.
 *
 * <p>HDFS reports the end of an operation and its failure by an exception. It does not report an
 * {@link Error}, such as an OutOfMemoryError. Without this class, such an operation would stay in
 * flight for ever and its volume would look stalled. An operation is lost to an error if
 *
 * <ul>
 *   <li>its thread begins another one, unless that is a write within a flush;
 *   <li>its thread has ended.
 * </ul>
 *
 * <p>A thread of a pool may live on and do nothing. So an operation expires after a minute if the
 * volume has ended a later operation. A volume that ends none is stalled.
 *
 * <p>Thread-safe. An operation costs one look-up of a thread-local, no lock and no allocation.
 */
final class OperationTracker {
  private static final long EXPIRY_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The maximum number of new threads between two sweeps. */
  private static final int THREADS_PER_SWEEP = 1_024;

  private final Queue<ThreadSlots> all = new ConcurrentLinkedQueue<>();
  private final AtomicInteger appeared = new AtomicInteger();
  private final ThreadLocal<ThreadSlots> slots = ThreadLocal.withInitial(this::newSlots);

  /** The operations of one thread. HDFS nests operations in one case: a flush contains writes. */
  private static final class ThreadSlots {
    private final WeakReference<Thread> thread = new WeakReference<>(Thread.currentThread());
    private final InFlightOperation flush = new InFlightOperation();
    private final InFlightOperation innermost = new InFlightOperation();

    boolean isThreadDead() {
      Thread alive = thread.get();
      return alive == null || !alive.isAlive();
    }

    void lose(long nowNanos) {
      innermost.lose(nowNanos);
      flush.lose(nowNanos);
    }
  }

  private ThreadSlots newSlots() {
    ThreadSlots created = new ThreadSlots();
    all.add(created);
    appeared.incrementAndGet();
    return created;
  }

  /** Begins an operation of the current thread. */
  void begin(DataNodeVolume volume, Kind kind, long nowNanos) {
    ThreadSlots own = slots.get();
    own.innermost.lose(nowNanos);
    if (kind != Kind.WRITE) {
      own.flush.lose(nowNanos);
    }
    (kind == Kind.FLUSH ? own.flush : own.innermost).begin(volume, kind != Kind.CONTROL, nowNanos);
  }

  /** Ends the operation with this begin. Returns false if it has expired or was lost. */
  boolean end(long beganNanos) {
    ThreadSlots own = slots.get();
    return own.innermost.end(beganNanos) || own.flush.end(beganNanos);
  }

  /** Ends the operations of threads that have ended, and those that have expired. */
  void sweep(long nowNanos) {
    appeared.set(0);
    all.removeIf(each -> sweep(each, nowNanos));
  }

  /** Sweeps the operations of a thread. Returns whether the thread has ended. */
  private static boolean sweep(ThreadSlots each, long nowNanos) {
    boolean dead = each.isThreadDead();
    if (dead) {
      each.lose(nowNanos);
    } else {
      each.innermost.expire(nowNanos, EXPIRY_NANOS);
      each.flush.expire(nowNanos, EXPIRY_NANOS);
    }
    return dead;
  }

  /** Returns whether enough new threads have appeared since the last sweep. */
  boolean isSweepDue() {
    return appeared.get() >= THREADS_PER_SWEEP;
  }

  /** The kind of an operation. */
  enum Kind {
    WRITE,
    FLUSH,
    CONTROL
  }
}
