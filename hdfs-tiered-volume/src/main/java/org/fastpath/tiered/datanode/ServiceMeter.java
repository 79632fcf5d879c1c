package org.fastpath.tiered.datanode;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures the busy time and the work of operations of one kind. Their ratio is the cost of a unit
 * of work, for any number of concurrent operations.
 *
 * <pre>
 * state   | time of the last change, 48 bits of 64 ns | operations in flight, 16 bits |
 * </pre>
 *
 * <p>Time counts while at least one operation is in flight, so a stalled device is busy without
 * work. A sum of latencies would make a device with two writers look half as fast as with one.
 *
 * <p>Thread-safe: each begin and end costs one compare-and-set, no lock and no allocation.
 */
final class ServiceMeter {
  private static final int COUNT_BITS = 16;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

  /** A unit of time is 64 ns, so 48 bits last for half a year; then they wrap. */
  private static final int UNIT_BITS = 6;

  /** The maximum delay of a thread, 64 s. A larger difference means that the time has wrapped. */
  private static final long MAX_DELAY_UNITS = 1_000_000_000;

  private final AtomicLong state = new AtomicLong();
  private final AtomicLong busyUnits = new AtomicLong();
  private final AtomicLong waitUnits = new AtomicLong();
  private final AtomicLong work = new AtomicLong();
  private final AtomicLong operations = new AtomicLong();
  private volatile long busySince;
  private volatile long lastEnd;

  /** Begins an operation. */
  void begin(long nowNanos) {
    change(nowNanos, 1);
  }

  /** Ends an operation with its work. */
  void end(long nowNanos, long done) {
    work.addAndGet(done);
    operations.incrementAndGet();
    fail(nowNanos);
  }

  /** Ends an operation without work. */
  void fail(long nowNanos) {
    lastEnd = nowNanos;
    change(nowNanos, -1);
  }

  /** Removes an operation that has not ended. Other operations may still be stalled. */
  void abandon(long nowNanos) {
    change(nowNanos, -1);
  }

  private void change(long nowNanos, int by) {
    while (true) {
      long before = state.get();
      boolean idle = (before & COUNT_MASK) == 0;
      if (idle) {
        busySince = nowNanos;
      }
      long passed = passed(before, nowNanos);
      long after = (later(before, passed, nowNanos) << COUNT_BITS) | ((before + by) & COUNT_MASK);
      if (state.compareAndSet(before, after)) {
        if (!idle && passed > 0) {
          busyUnits.addAndGet(passed);
          waitUnits.addAndGet(passed * (before & COUNT_MASK));
        }
        return;
      }
    }
  }

  /**
   * Returns the time of a change. Another thread may have read its clock later and changed the
   * state first.
   */
  private static long later(long state, long passed, long nowNanos) {
    boolean overtaken = state != 0 && passed < 0 && passed > -MAX_DELAY_UNITS;
    return overtaken ? state >>> COUNT_BITS : nowNanos >> UNIT_BITS;
  }

  /**
   * Returns the units since a state's change. The shifts extend the sign, because the time may have
   * wrapped.
   */
  private static long passed(long state, long nowNanos) {
    long units = (nowNanos >> UNIT_BITS) - (state >>> COUNT_BITS);
    return units << COUNT_BITS >> COUNT_BITS;
  }

  /** Returns the time with operations in flight, until now. */
  long busyNanos(long nowNanos) {
    return (busyUnits.get() + currentUnits(state.get(), nowNanos)) << UNIT_BITS;
  }

  /** Returns the times of all operations, added up, until now. */
  long waitNanos(long nowNanos) {
    long now = state.get();
    return (waitUnits.get() + currentUnits(now, nowNanos) * (now & COUNT_MASK)) << UNIT_BITS;
  }

  private static long currentUnits(long state, long nowNanos) {
    return (state & COUNT_MASK) == 0 ? 0 : Math.max(0, passed(state, nowNanos));
  }

  /** Returns the time since operations began of which none has ended; 0 if none is in flight. */
  long stalledNanos(long nowNanos) {
    return inFlight() == 0 ? 0 : Math.max(0, nowNanos - Math.max(busySince, lastEnd));
  }

  int inFlight() {
    return (int) (state.get() & COUNT_MASK);
  }

  /** Returns the work so far. */
  long work() {
    return work.get();
  }

  /** Returns the mean work of an operation; 0 before the first one. */
  double workPerOperation() {
    long ended = operations.get();
    return ended == 0 ? 0 : (double) work.get() / ended;
  }
}
