package org.fastpath.tiered.datanode;

import java.util.concurrent.atomic.AtomicLong;

/**
 * One operation that a thread has begun on a volume and not ended.
 *
 * <p>The thread that runs the operation begins it; one party ends it, either that thread or the
 * sweep of {@link OperationTracker}. A compare-and-set decides which one.
 */
final class InFlightOperation {
  private static final long NONE = 0;

  private final AtomicLong beginNanos = new AtomicLong(NONE);
  private volatile DataNodeVolume volume;
  private volatile boolean transfer;

  /** Begins; called by the thread that runs the operation. */
  void begin(DataNodeVolume on, boolean isTransfer, long nowNanos) {
    volume = on;
    transfer = isTransfer;
    beginNanos.set(stamp(nowNanos));
  }

  /** Ends the operation with this begin. Returns false if it has ended already. */
  boolean end(long began) {
    return beginNanos.compareAndSet(stamp(began), NONE);
  }

  /** Ends the operation as lost to an error, if it is in flight. */
  void lose(long nowNanos) {
    long began = beginNanos.get();
    if (began != NONE && beginNanos.compareAndSet(began, NONE)) {
      volume.lost(transfer, true, nowNanos);
    }
  }

  /** Ends the operation if it is older than the limit and the volume has ended a later one. */
  void expire(long nowNanos, long expiryNanos) {
    long began = beginNanos.get();
    DataNodeVolume on = volume;
    boolean kind = transfer;
    if (began != NONE
        && nowNanos - began > expiryNanos
        && on.hasEndedLaterThan(kind, began)
        && beginNanos.compareAndSet(began, NONE)) {
      on.lost(kind, false, nowNanos);
    }
  }

  private static long stamp(long nanos) {
    return nanos == NONE ? 1 : nanos;
  }
}
