package org.fastpath.tiered.datanode;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * When a volume that was excluded is probed. Any thread may take the right to probe it; everything
 * else is done by one thread at a time.
 */
final class ProbeSchedule {
  private static final int NO_PROBE = 0;
  private static final int CHOSEN = 1;
  private static final int RUNNING = 2;

  /** A volume that is excluded again this many longest intervals after its return is new. */
  private static final int RELAPSE_INTERVALS = 10;

  private final AtomicInteger probe = new AtomicInteger(NO_PROBE);
  private volatile long nextNanos;
  private volatile long intervalNanos;
  private long beganNanos;
  private boolean addsUp;
  private boolean returned;
  private long returnedNanos;

  /** The volume is excluded: probes begin, where they were if it returned a short while ago. */
  void exclude(long nowNanos, VolumeChoiceOptions options) {
    boolean relapse =
        returned && nowNanos - returnedNanos < RELAPSE_INTERVALS * options.maxProbeNanos();
    intervalNanos =
        relapse ? Math.min(2 * intervalNanos, options.maxProbeNanos()) : options.probeNanos();
    nextNanos = nowNanos + intervalNanos;
    addsUp = false;
  }

  /** The volume is readmitted: probes end. */
  void readmit(long nowNanos) {
    addsUp = false;
    returned = true;
    returnedNanos = nowNanos;
    probe.set(NO_PROBE);
  }

  /**
   * Takes the right to probe now, for one of the threads that ask.
   *
   * @param choices since the last probe of any volume
   */
  boolean tryTake(long nowNanos, long choices, VolumeChoiceOptions options) {
    if (nowNanos < nextNanos) {
      return false;
    }
    // As many as are asked for once it waits for the longest time; before, fewer.
    long enough = options.choicesPerProbe() * intervalNanos / options.maxProbeNanos();
    return choices >= enough && probe.compareAndSet(NO_PROBE, CHOSEN);
  }

  /** Gives the right back: the volume has no room for a probe. */
  void refuse() {
    probe.set(NO_PROBE);
  }

  /** Whether a probe was chosen, which begins now and does not go on with the last one. */
  boolean beginsAnew() {
    return probe.get() == CHOSEN && !addsUp;
  }

  /** A probe that was chosen runs from now on. */
  void beginChosen(long nowNanos) {
    if (probe.compareAndSet(CHOSEN, RUNNING)) {
      beganNanos = nowNanos;
    }
  }

  boolean isRunning() {
    return probe.get() == RUNNING;
  }

  /** Whether a probe has run for as long as the longest interval. */
  boolean isOverdue(long nowNanos, VolumeChoiceOptions options) {
    return nowNanos - beganNanos > options.maxProbeNanos();
  }

  /** The probe has failed: the next one waits for twice as long. */
  void again(long nowNanos, VolumeChoiceOptions options) {
    schedule(nowNanos, Math.min(2 * intervalNanos, options.maxProbeNanos()));
  }

  /** The probe has shown nothing: the next one adds to it. */
  void goOn(long nowNanos) {
    schedule(nowNanos, intervalNanos);
    addsUp = true;
  }

  private void schedule(long nowNanos, long interval) {
    intervalNanos = interval;
    nextNanos = nowNanos + interval;
    addsUp = false;
    probe.set(NO_PROBE);
  }

  /** No probe waits for longer than its interval, even if the clock goes back. */
  void correct(long nowNanos) {
    if (nextNanos - nowNanos > intervalNanos) {
      nextNanos = nowNanos + intervalNanos;
    }
  }
}
