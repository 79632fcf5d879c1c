package org.fastpath.tiered.regionserver.guard;

import java.util.concurrent.TimeUnit;

/**
 * Detects a lasting overload of the tier that flushes and compactions write to. It compares demand,
 * the rate of writes while they are not blocked, with capacity, the rate of flushes while they are
 * fully busy. Demand above capacity by the configured ratio, while flushes are busy much of the
 * time, is an overload.
 *
 * <p>HBase acknowledges a write in the WAL, and rewrites it later by a flush and compactions. If
 * the WAL's tier is faster than the bandwidth of store files divided by the write amplification,
 * memstores fill until HBase blocks all writes. A fluid queue with a finite buffer cannot exceed
 * that quotient for long [1].
 *
 * <p>Capacity is the rate of flushes while they never wait for work. A moment is pressed if
 * memstores are well beyond the flush mark. Capacity is the bytes flushed in pressed time, divided
 * by that time. During throttling, writes without pressure raise it.
 *
 * <p>A blocking server accepts exactly the bytes that it drains. So demand is the bytes appended
 * divided by the time without blocking.
 *
 * <p>The sums decay with {@code sustained-seconds}. An overload must show as long again, its end
 * for {@code recovery-seconds}. Time against it is subtracted from time for it [2].
 *
 * <p>[1] D. Anick, D. Mitra, M. Sondhi, Stochastic Theory of a Data-Handling System with Multiple
 * Sources, 1982. [2] E. Page, Continuous Inspection Schemes, Biometrika 41, 1954.
 *
 * <p>Not thread-safe. The clock is that of the samples.
 */
final class OverloadModel {
  /** The share of fully busy time from which an overload is possible, and below which it ends. */
  private static final double PRESSED = 0.3;

  private static final double RELIEVED = 0.15;

  /** The fully busy time, in time constants, from which the capacity is known. */
  private static final double LEARNED = 0.4;

  /** The minimum share of time in which writes are accepted. */
  private static final double MIN_OPEN = 0.02;

  /** Writers that use less than this share of their limit are not slowed down by it. */
  private static final double UNUSED = 0.8;

  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private final double window;
  private final double enterRatio;
  private final double leaveRatio;
  private final double enterAfter;
  private final double leaveAfter;

  private LoadSample last;
  private double time;
  private double openTime;
  private double pressedTime;
  private double ingested;
  private double drainedPressed;
  private double capacity = LoadState.UNKNOWN;
  private boolean overloaded;
  private double againstFor;

  OverloadModel(GuardOptions options) {
    window = options.sustainedSeconds();
    enterRatio = options.overloadRatio();
    leaveRatio = (1 + enterRatio) / 2;
    enterAfter = options.sustainedSeconds();
    leaveAfter = options.recoverySeconds();
  }

  /**
   * Adds a sample.
   *
   * @param allowed bytes a second to which writes are throttled; 0 if they are not
   */
  LoadState update(LoadSample sample, double allowed) {
    double seconds = last == null ? 0 : (sample.nanos() - last.nanos()) / SECOND;
    if (seconds > 0) {
      add(sample, seconds, allowed);
      judge(seconds, allowed);
    }
    last = sample;
    return time == 0
        ? LoadState.NONE
        : new LoadState(
            overloaded,
            ingested / time,
            demand(),
            capacity,
            pressedTime / time,
            1 - openTime / time,
            sample.pressure());
  }

  private void add(LoadSample sample, double seconds, double allowed) {
    double kept = Math.exp(-seconds / window);
    boolean pressed = last.isPressed() || sample.isPressed();
    time = time * kept + seconds;
    openTime = openTime * kept + seconds * (1 - sample.blockedShare());
    ingested = ingested * kept + gain(last.ingestedBytes(), sample.ingestedBytes());
    pressedTime = pressedTime * kept + (pressed ? seconds : 0);
    drainedPressed =
        drainedPressed * kept + (pressed ? gain(last.drainedBytes(), sample.drainedBytes()) : 0);
    if (pressed && pressedTime >= LEARNED * window) {
      capacity = drainedPressed / pressedTime;
    } else if (!pressed && allowed > 0) {
      capacity = Math.max(capacity, ingested / time);
    }
  }

  /** Returns the increase. The counts of regions that left do not make a rate negative. */
  private static double gain(long before, long after) {
    return Math.max(0, after - before);
  }

  private double demand() {
    return ingested / Math.max(openTime, time * MIN_OPEN);
  }

  private void judge(double seconds, double allowed) {
    boolean against = overloaded ? isRelieved(allowed) : isOverload();
    againstFor = Math.max(0, againstFor + (against ? seconds : -seconds));
    if (againstFor >= (overloaded ? leaveAfter : enterAfter)) {
      overloaded = !overloaded;
      againstFor = 0;
    }
  }

  private boolean isOverload() {
    return capacity != LoadState.UNKNOWN
        && pressedTime >= PRESSED * time
        && demand() >= enterRatio * capacity;
  }

  private boolean isRelieved(double allowed) {
    if (allowed > 0) {
      return ingested / time < UNUSED * allowed;
    }
    return pressedTime < RELIEVED * time || demand() < leaveRatio * capacity;
  }
}
