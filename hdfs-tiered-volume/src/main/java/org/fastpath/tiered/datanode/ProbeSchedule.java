package org.fastpath.tiered.datanode;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Schedules the probes of an excluded volume. Any thread may take the right to probe it. Only one
 * thread at a time calls the other methods.
 */
final class ProbeSchedule {
  private static final int NO_PROBE = 0;
  private static final int CHOSEN = 1;
  private static final int RUNNING = 2;

  /** After this many maximum intervals, another exclusion begins with the first interval again. */
  private static final int RELAPSE_INTERVALS = 10;

  private final AtomicInteger probe = new AtomicInteger(NO_PROBE);
  private volatile long nextNanos;
  private volatile long intervalNanos;
  private long beganNanos;
  private boolean addsUp;
  private boolean returned;
  private long returnedNanos;

  /**
   * Begins probes of an excluded volume. If it was readmitted a short while ago, the interval
   * continues.
   */
  void exclude(long nowNanos, VolumeChoiceOptions options) {
    boolean relapse =
        returned && nowNanos - returnedNanos < RELAPSE_INTERVALS * options.maxProbeNanos();
    intervalNanos =
        relapse ? Math.min(2 * intervalNanos, options.maxProbeNanos()) : options.probeNanos();
    nextNanos = nowNanos + intervalNanos;
    addsUp = false;
  }

  /** Ends the probes of a readmitted volume. */
  void readmit(long nowNanos) {
    addsUp = false;
    returned = true;
    returnedNanos = nowNanos;
    probe.set(NO_PROBE);
  }

  /**
   * Takes the right to probe now. Only one of several threads gets it.
   *
   * @param choices since the last probe of any volume
   */
  boolean tryTake(long nowNanos, long choices, VolumeChoiceOptions options) {
    if (nowNanos < nextNanos) {
      return false;
    }
    // The full number applies at the maximum interval, a part of it before.
    long enough = options.choicesPerProbe() * intervalNanos / options.maxProbeNanos();
    return choices >= enough && probe.compareAndSet(NO_PROBE, CHOSEN);
  }

  /** Returns the right: the volume has no room for a probe. */
  void refuse() {
    probe.set(NO_PROBE);
  }

  /** Returns whether the chosen probe is new and does not continue the last one. */
  boolean isNewProbe() {
    return probe.get() == CHOSEN && !addsUp;
  }

  /** Begins a probe that was chosen. */
  void beginChosen(long nowNanos) {
    if (probe.compareAndSet(CHOSEN, RUNNING)) {
      beganNanos = nowNanos;
    }
  }

  boolean isRunning() {
    return probe.get() == RUNNING;
  }

  /** Returns whether a probe has run for the maximum interval. */
  boolean isOverdue(long nowNanos, VolumeChoiceOptions options) {
    return nowNanos - beganNanos > options.maxProbeNanos();
  }

  /** Ends a failed probe. The next interval is twice as long. */
  void retryLater(long nowNanos, VolumeChoiceOptions options) {
    schedule(nowNanos, Math.min(2 * intervalNanos, options.maxProbeNanos()));
  }

  /** Ends a probe without a result. The next one continues it. */
  void continueLater(long nowNanos) {
    schedule(nowNanos, intervalNanos);
    addsUp = true;
  }

  private void schedule(long nowNanos, long interval) {
    intervalNanos = interval;
    nextNanos = nowNanos + interval;
    addsUp = false;
    probe.set(NO_PROBE);
  }

  /** Corrects the next time if the clock went back. No probe waits for longer than its interval. */
  void correct(long nowNanos) {
    if (nextNanos - nowNanos > intervalNanos) {
      nextNanos = nowNanos + intervalNanos;
    }
  }
}
