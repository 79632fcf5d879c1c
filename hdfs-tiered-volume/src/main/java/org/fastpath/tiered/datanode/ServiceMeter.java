package org.fastpath.tiered.datanode;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How long something was busy with operations of one kind, and what it got done: the two numbers
 * whose ratio is the cost of a unit of work, however many operations ran side by side.
 *
 * <pre>
 * state   | time of the last change, 48 bits of 64 ns | operations in flight, 16 bits |
 * </pre>
 *
 * <p>Time counts while at least one operation is in flight, also while it has not ended: a device
 * that is stuck is busy and gets nothing done. Latencies added up would say that a device with two
 * writers is half as fast as the same one with one.
 *
 * <p>Any thread begins and ends operations: no lock, no allocation, one compare-and-set each.
 */
final class ServiceMeter {
  private static final int COUNT_BITS = 16;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

  /** A unit of time is 64 ns, so that 48 bits of them last for half a year and may wrap. */
  private static final int UNIT_BITS = 6;

  /** By how much a thread can be overtaken; what is further away is time that has wrapped: 64 s. */
  private static final long LATEST_UNITS = 1_000_000_000;

  private final AtomicLong state = new AtomicLong();
  private final AtomicLong busyUnits = new AtomicLong();
  private final AtomicLong waitUnits = new AtomicLong();
  private final AtomicLong work = new AtomicLong();
  private final AtomicLong operations = new AtomicLong();
  private volatile long busySince;
  private volatile long lastEnd;

  /** An operation begins. */
  void begin(long nowNanos) {
    change(nowNanos, 1);
  }

  /** It has ended and got so much done. */
  void end(long nowNanos, long done) {
    work.addAndGet(done);
    operations.incrementAndGet();
    fail(nowNanos);
  }

  /** It has ended without. */
  void fail(long nowNanos) {
    lastEnd = nowNanos;
    change(nowNanos, -1);
  }

  /** It is in flight no longer, but has not ended: others may be stuck as it was. */
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

  /** The time of a change: another thread may have read its clock later and come first. */
  private static long later(long state, long passed, long nowNanos) {
    boolean overtaken = state != 0 && passed < 0 && passed > -LATEST_UNITS;
    return overtaken ? state >>> COUNT_BITS : nowNanos >> UNIT_BITS;
  }

  /** Units since a state's change; the shifts extend the sign of what may have wrapped. */
  private static long passed(long state, long nowNanos) {
    long units = (nowNanos >> UNIT_BITS) - (state >>> COUNT_BITS);
    return units << COUNT_BITS >> COUNT_BITS;
  }

  /** Time with operations in flight, until now. */
  long busyNanos(long nowNanos) {
    return (busyUnits.get() + currentUnits(state.get(), nowNanos)) << UNIT_BITS;
  }

  /** The times of all operations, added up, until now. */
  long waitNanos(long nowNanos) {
    long now = state.get();
    return (waitUnits.get() + currentUnits(now, nowNanos) * (now & COUNT_MASK)) << UNIT_BITS;
  }

  private static long currentUnits(long state, long nowNanos) {
    return (state & COUNT_MASK) == 0 ? 0 : Math.max(0, passed(state, nowNanos));
  }

  /** How long operations have been in flight of which none has ended, 0 if there are none. */
  long stalledNanos(long nowNanos) {
    return inFlight() == 0 ? 0 : Math.max(0, nowNanos - Math.max(busySince, lastEnd));
  }

  int inFlight() {
    return (int) (state.get() & COUNT_MASK);
  }

  /** What was done so far. */
  long work() {
    return work.get();
  }

  /** What an operation did on average; 0 before the first one. */
  double workPerOperation() {
    long ended = operations.get();
    return ended == 0 ? 0 : (double) work.get() / ended;
  }
}
