package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.fastpath.tiered.datanode.VolumeStatistics.Memory;
import org.fastpath.tiered.datanode.VolumeStatistics.Signal;

/**
 * One volume as {@link VolumeChooser} sees it: what it does ({@link VolumeStatistics}), what it was
 * given ({@link ShareAccount}), and whether it takes part, gets probes ({@link ProbeSchedule}) or
 * is stalled.
 *
 * <p>Any thread reports operations and chooses the volume. Its condition changes in {@link
 * #observe} and {@link #judge} only, which one thread at a time calls.
 */
final class VolumeLoad {
  /** What {@link SlownessJudge#PRIOR_NANOS} is for a probe, which may last a few milliseconds. */
  private static final double PROBE_PRIOR_NANOS = 5e6;

  /** What has to be written by probes until they are evidence, as a replica may be smaller. */
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

  /** Writes of replicas, in bytes. */
  ServiceMeter transfers() {
    return statistics.transfers();
  }

  /** Syncs, files made and renamed. */
  ServiceMeter controls() {
    return statistics.controls();
  }

  /**
   * An operation was lost: HDFS has not said how it ended.
   *
   * @param error whether it is known that an error has ended it
   */
  void lost(boolean error) {
    lostOperations.increment();
    if (error) {
      statistics.error();
    }
  }

  // Room and queue.

  /** Asks for the room that is left. */
  long availableBytes() throws IOException {
    long bytes = gauges.availableBytes();
    if (bytes != availableBytes) {
      availableBytes = bytes;
    }
    return bytes;
  }

  /** Asks for the room, and counts as stalled while the answer is overdue. */
  void pollRoom() throws IOException {
    statistics.roomPolls().begin(System.nanoTime());
    try {
      availableBytes();
    } finally {
      statistics.roomPolls().fail(System.nanoTime());
    }
  }

  /** The room that was left when that was last asked; negative if it never was. */
  long knownAvailableBytes() {
    return availableBytes;
  }

  /** What writers of open replicas may still bring. */
  long inFlightBytes() {
    return gauges.inFlightBytes();
  }

  /**
   * What a newcomer waits for: what writers of open replicas may still bring, but of replicas that
   * have been open for long no more than is written of them while it writes as much as it brings,
   * if that is measured. Who writes now counts also if nothing is reserved for it any longer: on
   * average a writer is in the middle.
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

  // Its condition.

  VolumeCondition condition() {
    return condition;
  }

  /** Whether operations are in flight, and none ended for much longer than they should take. */
  boolean isStalled() {
    return stalled;
  }

  boolean isEligible() {
    return condition == VolumeCondition.HEALTHY && !stalled;
  }

  /** Its cost in those of its peers. */
  double slowness() {
    return slowness;
  }

  /** Whether it can be late: of one that is excluded nothing is added up. */
  boolean isMeasuredAndHealthy() {
    return condition == VolumeCondition.HEALTHY && statistics.estimate(Signal.TRANSFER).isKnown();
  }

  /** When it was last excluded. */
  long excludedNanos() {
    return excludedNanos;
  }

  /** What its writers waited too long, as of the last refresh. */
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

  /** Takes in what happened since the last time. */
  void observe(long nowNanos, VolumeChoiceOptions options) {
    long passed = statistics.observe(nowNanos, memory(), options);
    // What was reserved, and what for, is not known of a time in which nobody observed it.
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
    if (probe.beginsAnew()) {
      return Memory.ENDS;
    }
    return condition == VolumeCondition.HEALTHY ? Memory.FADES : Memory.STAYS;
  }

  /**
   * Decides what the volume gets from now on.
   *
   * @param peers what a unit of work costs its peers
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

  /** Peers that are the ratio as slow are borne. */
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

  /** Takes part again without a probe, and is judged by what it does from now on. */
  void readmitUnproven(long nowNanos) {
    statistics.forget(nowNanos);
    slowness = 1;
    readmit(nowNanos);
  }

  // Probes.

  /**
   * Takes the right to be probed now, for one of the threads that ask.
   *
   * @param choices since the last probe of any volume
   */
  boolean tryProbe(long nowNanos, long choices, VolumeChoiceOptions options) {
    return condition != VolumeCondition.HEALTHY
        && !stalled
        && probe.tryTake(nowNanos, choices, options);
  }

  /** It was chosen as a probe. */
  void probed() {
    probes.increment();
  }

  /** It could not be chosen, as it has no room. */
  void probeRefused() {
    probe.refuse();
  }

  private void judgeProbe(
      long nowNanos, SlownessJudge judge, PeerCosts peers, VolumeChoiceOptions options) {
    double most = RETURN_SHARE * options.slowRatio();
    if (isProbeLate(judge, peers.mostTransfer(), most) || statistics.errorLevel() >= 1) {
      probe.again(nowNanos, options);
    } else if (hasProbeEvidence()) {
      if (judge.slowness(PROBE_PRIOR_NANOS) <= most) {
        slowness = judge.agreedSlowness();
        readmit(nowNanos);
      } else {
        probe.again(nowNanos, options);
      }
    } else if (isProbeOver(nowNanos, options)) {
      probe.goOn(nowNanos);
    }
  }

  private boolean isProbeLate(SlownessJudge judge, double cost, double most) {
    double inFlight = transfers().inFlight() * transfers().workPerOperation();
    double whole =
        Math.max(Math.max(PROBE_BYTES, inFlight) * cost, judge.expected(Signal.TRANSFER, cost));
    double spent = statistics.estimate(Signal.TRANSFER).spentNanos();
    return cost > 0 && spent + PROBE_PRIOR_NANOS > most * (whole + PROBE_PRIOR_NANOS);
  }

  /** Enough bytes, and of a device that can be seen also those that it wrote itself. */
  private boolean hasProbeEvidence() {
    long written = probedBytes();
    return written >= PROBE_BYTES
        && (!statistics.isDeviceVisible()
            || statistics.estimate(Signal.DEVICE).workSinceReset() >= written / 2);
  }

  private long probedBytes() {
    return statistics.estimate(Signal.TRANSFER).workSinceReset();
  }

  /** It was too small, or its writer has gone, or its pages are still in memory. */
  private boolean isProbeOver(long nowNanos, VolumeChoiceOptions options) {
    long written = probedBytes();
    boolean idle = transfers().inFlight() == 0 && gauges.inFlightBytes() == 0;
    return (idle && written > 0 && written < PROBE_BYTES) || probe.isOverdue(nowNanos, options);
  }
}
