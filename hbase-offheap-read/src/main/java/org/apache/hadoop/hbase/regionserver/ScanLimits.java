package org.apache.hadoop.hbase.regionserver;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.fastpath.offheap.reader.CoarseClock;

/**
 * The limits of a scan's request, and how far it has come, but that the time is told by a clock
 * that somebody else looks at.
 *
 * <p>HBase asks for the time two or three times for each row, and once more for each that is
 * returned, to know whether the client waits for a sign of life. That is a sixth of the CPU of a
 * scan of small values, for a limit of half a minute.
 *
 * <p>Limits and progress are the same objects as those that were asked for; what else there is goes
 * there and back with each call. Who asked looks at the time as well, between two calls; so the
 * limits are without one then, as long as it is far from being reached. Each {@value #LOOK}th look
 * is at the time itself, so that a scan ends in time even if that clock stood still. For one
 * thread.
 *
 * <p>A hidden time limit is stored as its negative, which HBase takes for none. A coprocessor may
 * hand one context to two scanners, as Phoenix did (PHOENIX-5117): the second scanner finds the
 * time limit that the first one has hidden.
 */
final class ScanLimits extends ScannerContext {
  private static final int LOOK = 256;

  /** More than the clock is behind, unless it stands still. */
  private static final long NEAR_MILLIS = 100;

  /** Of limits without a time; smaller values are hidden times. */
  private static final long NO_TIME = -1;

  /** Sets the time in limits, which only their builder does; null where they have no such field. */
  private static final MethodHandle SET_TIME = setTime();

  private final ScannerContext asked;
  private final long time;
  private boolean immediately;
  private boolean reached;
  private int looks;

  /** Of limits that are HBase's own. */
  ScanLimits(ScannerContext asked) {
    super(asked.keepProgress, null, asked.isTrackingMetrics(), asked.metrics);
    this.asked = asked;
    this.limits = asked.limits;
    this.progress = asked.progress;
    this.time = asked.getTimeLimit();
  }

  private static MethodHandle setTime() {
    try {
      Class<?> limits = ScannerContext.class.getDeclaredField("limits").getType();
      return MethodHandles.lookup()
          .findSetter(limits, "time", long.class)
          .asType(MethodType.methodType(void.class, Object.class, long.class));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /**
   * Whether something is to be won: a time limit, and no class that may mean something else. Shows
   * a time limit that another scanner of the same context has hidden. A context without a time that
   * a scanner asked to return at once has a limit too, which is not ours to check.
   */
  static boolean apply(ScannerContext context) {
    if (context.getClass() != ScannerContext.class) {
      return false;
    }
    if (context.getTimeLimit() < NO_TIME) {
      set(context, -context.getTimeLimit());
    }
    return context.getTimeLimit() > 0 && context.hasTimeLimit(LimitScope.BETWEEN_ROWS);
  }

  boolean areOf(ScannerContext context) {
    return asked == context;
  }

  /** Takes over what the caller has set since the last call. */
  void begin() {
    if (isAskedToReturn()) {
      returnImmediately();
    }
    show(true);
    scannerState = asked.scannerState;
    keepProgress = asked.keepProgress;
    skippingRow = asked.skippingRow;
    setLastPeekedCell(asked.getLastPeekedCell());
  }

  /**
   * Whether a scanner of the same context asked it to return at once. A hidden time is no limit, so
   * only that makes one.
   */
  private boolean isAskedToReturn() {
    return getTimeLimit() < NO_TIME
        ? asked.hasTimeLimit(LimitScope.BETWEEN_ROWS)
        : asked.checkTimeLimit(LimitScope.BETWEEN_ROWS);
  }

  /** Gives back what the call has set. */
  void end() {
    asked.scannerState = scannerState;
    asked.keepProgress = keepProgress;
    asked.skippingRow = skippingRow;
    asked.setLastPeekedCell(getLastPeekedCell());
    if (immediately) {
      asked.returnImmediately();
    }
    if (!reached && ++looks % LOOK != 0 && CoarseClock.millis() < time - NEAR_MILLIS) {
      show(false);
    }
  }

  /** Of both, since they share their limits. Another scanner may have changed it meanwhile. */
  private void show(boolean shown) {
    long wanted = shown ? time : -time;
    if (getTimeLimit() != wanted) {
      set(this, wanted);
    }
  }

  private static void set(ScannerContext context, long time) {
    if (SET_TIME == null) {
      return;
    }
    try {
      SET_TIME.invokeExact((Object) context.limits, time);
    } catch (Throwable e) {
      throw new LinkageError("the time of a scan's limits", e);
    }
  }

  @Override
  void returnImmediately() {
    immediately = true;
    super.returnImmediately();
  }

  @Override
  boolean checkTimeLimit(LimitScope scope) {
    boolean late =
        immediately || ++looks % LOOK == 0
            ? super.checkTimeLimit(scope)
            : !skippingRow && hasTimeLimit(scope) && CoarseClock.millis() >= time;
    reached |= late;
    return late;
  }
}
