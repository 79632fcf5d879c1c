package org.apache.hadoop.hbase.regionserver;

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
 * there and back with each call. Each {@value #LOOK}th look is at the time itself, so that a scan
 * ends in time even if that clock stood still. For one thread.
 */
final class ScanLimits extends ScannerContext {
  private static final int LOOK = 256;

  private final ScannerContext asked;
  private boolean immediately;
  private int looks;

  /** Of limits that are HBase's own. */
  ScanLimits(ScannerContext asked) {
    super(asked.keepProgress, null, asked.isTrackingMetrics(), asked.metrics);
    this.asked = asked;
    this.limits = asked.limits;
    this.progress = asked.progress;
  }

  /** Whether something is to be won: a time limit, and no class that may mean something else. */
  static boolean apply(ScannerContext context) {
    return context.getClass() == ScannerContext.class
        && context.hasTimeLimit(LimitScope.BETWEEN_ROWS);
  }

  boolean areOf(ScannerContext context) {
    return asked == context;
  }

  /** Takes over what the caller has set since the last call. */
  void begin() {
    scannerState = asked.scannerState;
    keepProgress = asked.keepProgress;
    skippingRow = asked.skippingRow;
    setLastPeekedCell(asked.getLastPeekedCell());
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
  }

  @Override
  void returnImmediately() {
    immediately = true;
    super.returnImmediately();
  }

  @Override
  boolean checkTimeLimit(LimitScope scope) {
    if (immediately || ++looks % LOOK == 0) {
      return super.checkTimeLimit(scope);
    }
    return !skippingRow && hasTimeLimit(scope) && CoarseClock.millis() >= getTimeLimit();
  }
}
