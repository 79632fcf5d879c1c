package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.fastpath.tiered.datanode.VolumeStatistics.Memory;
import org.fastpath.tiered.datanode.VolumeStatistics.Signal;

/**
 * The state of one volume for {@link VolumeChooser}: its work ({@link VolumeStatistics}), its share
 * ({@link ShareAccount}), its probes ({@link ProbeSchedule}) and its condition.
 *
 * <p>Any thread reports operations and chooses the volume. Only {@link #observe} and {@link #judge}
 * change its condition; one thread at a time calls them.
 */
final class VolumeLoad {
  /**
   * The credit of a probe, which may last a few milliseconds; see {@link
   * SlownessJudge#PRIOR_NANOS}.
   */
  private static final double PROBE_PRIOR_NANOS = 5e6;

  /** Bytes that probes must write to be evidence. A single replica may be smaller. */
  private static final long PROBE_BYTES = 1 << 20;

  /** A volume is readmitted below its exclusion's ratio, so that it does not flap. */
  private static final double RETURN_SHARE = 0.7;

  private final VolumeGauges gauges;
  private final boolean measured;
  private final VolumeStatistics statistics = new VolumeStatistics();
  private final ShareAccount share;
  private final ProbeSchedule probe = new ProbeSchedule();
  private final ExcessWaitCusum excessWait = new ExcessWaitCusum();
  private long excludedNanos;

  private volatile VolumeCondition condition = VolumeCondition.HEALTHY;
  private volatile boolean stalled;
  private volatile double slowness = 1;
  private volatile double writers;
  private volatile long availableBytes = -1;

  private final LongAdder probes = new LongAdder();
  private final LongAdder full = new LongAdder();
  private final LongAdder lostOperations = new LongAdder();
  private final AtomicLong slowExclusions = new AtomicLong();
  private final AtomicLong erringExclusions = new AtomicLong();
  private final AtomicLong stalls = new AtomicLong();

  /**
   * @param measured whether operations are reported
   */
  VolumeLoad(VolumeGauges gauges, boolean measured) {
    this.gauges = gauges;
    this.measured = measured;
    share = new ShareAccount(gauges, statistics.transfers(), measured);
  }

  VolumeStatistics statistics() {
    return statistics;
  }

  ShareAccount share() {
    return share;
  }

  /** Returns the writes of replicas, in bytes. */
  ServiceMeter transfers() {
    return statistics.transfers();
  }

  /** Returns the syncs and the creations and renames of files. */
  ServiceMeter controls() {
    return statistics.controls();
  }

  /**
   * Reports a lost operation, whose end HDFS did not report.
   *
   * @param error whether an error is known to have ended it
   */
  void lost(boolean error) {
    lostOperations.increment();
    if (error) {
      statistics.error();
    }
  }

  // Room and queue.

  /** Asks the volume for its free space. */
  long availableBytes() throws IOException {
    long bytes = gauges.availableBytes();
    if (bytes != availableBytes) {
      availableBytes = bytes;
    }
    return bytes;
  }

  /** Asks for the free space. The volume counts as stalled while the answer is overdue. */
  void pollRoom() throws IOException {
    statistics.roomPolls().begin(System.nanoTime());
    try {
      availableBytes();
    } finally {
      statistics.roomPolls().fail(System.nanoTime());
    }
  }

  /** Returns the last known free space; negative if unknown. */
  long knownAvailableBytes() {
    return availableBytes;
  }

  /** Returns the bytes that writers of open replicas may still bring. */
  long inFlightBytes() {
    return gauges.inFlightBytes();
  }

  /**
   * Returns the bytes that a new replica waits for: those that writers of open replicas may still
   * bring. If writes are measured, replicas that have been open for long count only with the bytes
   * written meanwhile. A current writer also counts without a reservation: on average it is in the
   * middle of its replica.
   */
  double queuedBytes(long newcomerBytes) {
    double reserved = inFlightBytes();
    if (!measured) {
      return reserved;
    }
    double most = Math.max(reserved, transfers().inFlight() * newcomerBytes / 2.0);
    double recent = Math.max(0, reserved - share.standingBytes());
    return Math.min(most, recent + writers * newcomerBytes);
  }

  void foundFull() {
    full.increment();
  }

  // Returns its condition.

  VolumeCondition condition() {
    return condition;
  }

  /** Returns whether operations are in flight and none has ended for much longer than expected. */
  boolean isStalled() {
    return stalled;
  }

  boolean isEligible() {
    return condition == VolumeCondition.HEALTHY && !stalled;
  }

  /** Returns its cost divided by that of its peers. */
  double slowness() {
    return slowness;
  }

  /** Returns whether its excess wait is measured. It is not for an excluded volume. */
  boolean isMeasuredAndHealthy() {
    return condition == VolumeCondition.HEALTHY && statistics.estimate(Signal.TRANSFER).isKnown();
  }

  /** Returns the time of its last exclusion. */
  long excludedNanos() {
    return excludedNanos;
  }

  /** Returns the excess wait of its writers at the last refresh. */
  double excessWaitNanos() {
    return excessWait.nanos();
  }

  long probeCount() {
    return probes.sum();
  }

  long fullCount() {
    return full.sum();
  }

  long lostOperationCount() {
    return lostOperations.sum();
  }

  long slowExclusionCount() {
    return slowExclusions.get();
  }

  long erringExclusionCount() {
    return erringExclusions.get();
  }

  long stallCount() {
    return stalls.get();
  }

  // Refreshing it.

  /** Adds the work since the last call. */
  void observe(long nowNanos, VolumeChoiceOptions options) {
    long passed = statistics.observe(nowNanos, memory(), options);
    // Reservations are unknown for a time without observations.
    writers = passed < 0 ? 0 : statistics.writers();
    share.follow(Math.max(0, passed), options);
    boolean stuck = statistics.isStuck(nowNanos, options);
    if (stuck && !stalled) {
      stalls.incrementAndGet();
    }
    stalled = stuck;
    probe.beginChosen(nowNanos);
  }

  private Memory memory() {
    if (probe.isNewProbe()) {
      return Memory.ENDS;
    }
    return condition == VolumeCondition.HEALTHY ? Memory.FADES : Memory.STAYS;
  }

  /**
   * Decides the condition of the volume.
   *
   * @param peers cost of a unit of work on its peers
   */
  void judge(long nowNanos, PeerCosts peers, VolumeChoiceOptions options) {
    SlownessJudge judge = new SlownessJudge(statistics, peers);
    slowness = judge.agreedSlowness();
    if (condition == VolumeCondition.HEALTHY) {
      judgeHealthy(nowNanos, judge, peers, options);
    } else if (probe.isRunning()) {
      judgeProbe(nowNanos, judge, peers, options);
    } else {
      probe.correct(nowNanos);
    }
  }

  private void judgeHealthy(
      long nowNanos, SlownessJudge judge, PeerCosts peers, VolumeChoiceOptions options) {
    compareWaits(judge, peers, options);
    double late = excessWait.nanos() - peers.excessWaitNanos();
    double prior = SlownessJudge.PRIOR_NANOS;
    if (statistics.errorLevel() >= options.errorLimit()) {
      exclude(VolumeCondition.ERRING, erringExclusions, nowNanos, options);
    } else if (judge.slowness(prior) >= options.slowRatio()
        || late >= (options.slowRatio() - 1) * prior) {
      exclude(VolumeCondition.SLOW, slowExclusions, nowNanos, options);
    }
  }

  /** Adds up the excess wait. The allowance is the peers' cost times the ratio. */
  private void compareWaits(SlownessJudge judge, PeerCosts peers, VolumeChoiceOptions options) {
    CostEstimate estimate = statistics.estimate(Signal.TRANSFER);
    if (stalled || !judge.isComparable(Signal.TRANSFER)) {
      excessWait.reset();
    } else {
      excessWait.add(
          estimate.nanosSinceLast(),
          options.slowRatio() * estimate.workSinceLast() * peers.mostTransfer());
    }
  }

  private void exclude(
      VolumeCondition why, AtomicLong count, long nowNanos, VolumeChoiceOptions options) {
    excludedNanos = nowNanos;
    probe.exclude(nowNanos, options);
    excessWait.reset();
    count.incrementAndGet();
    condition = why;
  }

  private void readmit(long nowNanos) {
    statistics.forgetErrors();
    condition = VolumeCondition.HEALTHY;
    probe.readmit(nowNanos);
  }

  /** Readmits the volume without a probe. Only its work from now on counts. */
  void readmitUnproven(long nowNanos) {
    statistics.forget(nowNanos);
    slowness = 1;
    readmit(nowNanos);
  }

  // Probes.

  /**
   * Takes the right to probe the volume now. Only one of several threads gets it.
   *
   * @param choices since the last probe of any volume
   */
  boolean tryProbe(long nowNanos, long choices, VolumeChoiceOptions options) {
    return condition != VolumeCondition.HEALTHY
        && !stalled
        && probe.tryTake(nowNanos, choices, options);
  }

  /** Reports that the volume was chosen for a probe. */
  void probed() {
    probes.increment();
  }

  /** Reports that the volume has no room for a probe. */
  void probeRefused() {
    probe.refuse();
  }

  private void judgeProbe(
      long nowNanos, SlownessJudge judge, PeerCosts peers, VolumeChoiceOptions options) {
    double most = RETURN_SHARE * options.slowRatio();
    if (isProbeLate(judge, peers.mostTransfer(), most) || statistics.errorLevel() >= 1) {
      probe.retryLater(nowNanos, options);
    } else if (hasProbeEvidence()) {
      if (judge.slowness(PROBE_PRIOR_NANOS) <= most) {
        slowness = judge.agreedSlowness();
        readmit(nowNanos);
      } else {
        probe.retryLater(nowNanos, options);
      }
    } else if (isProbeOver(nowNanos, options)) {
      probe.continueLater(nowNanos);
    }
  }

  private boolean isProbeLate(SlownessJudge judge, double cost, double most) {
    double inFlight = transfers().inFlight() * transfers().workPerOperation();
    double whole =
        Math.max(Math.max(PROBE_BYTES, inFlight) * cost, judge.expected(Signal.TRANSFER, cost));
    double spent = statistics.estimate(Signal.TRANSFER).spentNanos();
    return cost > 0 && spent + PROBE_PRIOR_NANOS > most * (whole + PROBE_PRIOR_NANOS);
  }

  /**
   * Returns whether enough bytes were written. If the device is visible, it must also have written
   * them.
   */
  private boolean hasProbeEvidence() {
    long written = probedBytes();
    return written >= PROBE_BYTES
        && (!statistics.isDeviceVisible()
            || statistics.estimate(Signal.DEVICE).workSinceReset() >= written / 2);
  }

  private long probedBytes() {
    return statistics.estimate(Signal.TRANSFER).workSinceReset();
  }

  /**
   * Returns whether a probe ended without evidence: it was too small, its writer left, or its pages
   * are still in memory.
   */
  private boolean isProbeOver(long nowNanos, VolumeChoiceOptions options) {
    long written = probedBytes();
    boolean idle = transfers().inFlight() == 0 && gauges.inFlightBytes() == 0;
    return (idle && written > 0 && written < PROBE_BYTES) || probe.isOverdue(nowNanos, options);
  }
}
