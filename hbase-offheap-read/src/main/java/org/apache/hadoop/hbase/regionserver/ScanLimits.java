package org.apache.hadoop.hbase.regionserver;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.fastpath.offheap.reader.CoarseClock;

/**
 * The limits and the progress of a scan's request, with a cheaper check of the time by {@link
 * CoarseClock}.
 *
 * <p>HBase reads the time two or three times per row, and once more per returned row, to decide
 * whether the client needs a heartbeat. For a scan of small values that is a sixth of the CPU time,
 * for a limit of half a minute.
 *
 * <p>Limits and progress are the same objects as in HBase's context. Other state is copied in and
 * out on each call. HBase also checks the time between two calls. So between calls the time limit
 * is hidden, as long as it is far away. Every {@value #LOOK}th check reads the exact time. So a
 * scan ends in time even if the clock stands still. Not thread-safe.
 *
 * <p>A hidden time limit is stored as its negative, which HBase treats as no limit. A coprocessor
 * may give one context to two scanners, as Phoenix did (PHOENIX-5117). The second scanner then
 * finds the time limit that the first one has hidden.
 */
final class ScanLimits extends ScannerContext {
  private static final int LOOK = 256;

  /**
   * The distance to the limit, in milliseconds, within which it is not hidden. It is longer than
   * the clock's delay.
   */
  private static final long NEAR_MILLIS = 100;

  /** The value of limits without a time. Smaller values are hidden times. */
  private static final long NO_TIME = -1;

  /**
   * Sets the time of limits, for which HBase has only a builder; null if the field does not exist.
   */
  private static final MethodHandle SET_TIME = setTime();

  private final ScannerContext asked;
  private final long time;
  private boolean immediately;
  private boolean reached;
  private int looks;

  /** Wraps the limits of a context of HBase. */
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
   * Returns whether the wrapper helps: there is a time limit, and the context is not of a subclass,
   * which may define limits differently. It first restores a time limit that another scanner of the
   * same context has hidden. A context without a time whose scanner was asked to return at once has
   * a limit too. This class does not check that limit.
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

  /** Copies the caller's changes since the last call. */
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
   * Returns whether a scanner of the same context asked it to return at once. A hidden time is no
   * limit, so a limit can only come from that request.
   */
  private boolean isAskedToReturn() {
    return getTimeLimit() < NO_TIME
        ? asked.hasTimeLimit(LimitScope.BETWEEN_ROWS)
        : asked.checkTimeLimit(LimitScope.BETWEEN_ROWS);
  }

  /** Copies the changes of the call back. */
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

  /**
   * Shows or hides the time limit for both contexts, which share their limits. Another scanner may
   * have changed it meanwhile.
   */
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
