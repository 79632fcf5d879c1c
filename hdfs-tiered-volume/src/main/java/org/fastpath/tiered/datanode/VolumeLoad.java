package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * One volume as {@link VolumeChooser} sees it: what it is doing, what that cost of late, whether it
 * gets its share, and what it was given.
 *
 * <p>Any thread reports operations and chooses the volume. Estimates and condition change in {@link
 * #observe} and {@link #judge} only, which one thread at a time calls.
 */
final class VolumeLoad {
  /** What is compared between volumes. */
  enum Signal {
    /** Writes of replicas; work is bytes. */
    TRANSFER,
    /** Syncs, files made and renamed; work is their number. */
    CONTROL,
    /** The device as the kernel sees it, whoever uses it; work is bytes. */
    DEVICE,
    /** What {@link #TRANSFER} counts, with the times of operations side by side added up. */
    TRANSFER_WAIT,
    /** What {@link #CONTROL} counts, with the times of operations side by side added up. */
    CONTROL_WAIT
  }

  /**
   * Time as cheap as the peers' that each volume is credited with, so that it takes seconds of
   * waiting to be slow, and not a hiccup on an idle volume.
   */
  private static final double PRIOR_NANOS = 250e6;

  /** The same for a probe, which may last for as little as a few milliseconds. */
  private static final double PROBE_PRIOR_NANOS = 5e6;

  /** What has to be written by probes until they are evidence, as a replica may be smaller. */
  private static final long PROBE_BYTES = 1 << 20;

  /** A volume comes back with less than it takes to leave, so that it does not do so for ever. */
  private static final double RETURN_SHARE = 0.7;

  /** Errors are remembered for six times as long as costs. */
  private static final double ERROR_WINDOWS = 6;

  /** A volume that leaves again this many longest probe intervals after it returned is new. */
  private static final int RELAPSE_INTERVALS = 10;

  /** Without a look at the volumes for so long, the machine slept: nothing was measured. */
  private static final long LONGEST_GAP_NANOS = 10_000_000_000L;

  /** A write is into memory if it takes no longer than a call and a gigabyte a second. */
  private static final long CALL_NANOS = 20_000;

  private static final int NO_PROBE = 0;
  private static final int CHOSEN = 1;
  private static final int RUNNING = 2;

  private final VolumeGauges gauges;
  private final boolean measured;
  private final ServiceMeter transfers = new ServiceMeter();
  private final ServiceMeter controls = new ServiceMeter();

  /** Polls for the room; at most one is in flight. */
  private final ServiceMeter roomPolls = new ServiceMeter();

  private final AtomicLong deviceNanos = new AtomicLong();
  private final AtomicLong deviceBytes = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();
  private final AtomicLong cachedBytes = new AtomicLong();

  private final CostEstimate[] estimates =
      Stream.generate(CostEstimate::new).limit(Signal.values().length).toArray(CostEstimate[]::new);

  private long observedNanos;

  private final Lateness lateness = new Lateness();

  /** The time of all operations, added up; work is the time that has passed. */
  private final CostEstimate waits = new CostEstimate();

  /** Bytes that were written into memory; work is all bytes. */
  private final CostEstimate cached = new CostEstimate();

  private double errorLevel;
  private long errorsSeen;
  private long probeBeganNanos;
  private volatile long probeInterval;
  private boolean probesAddUp;
  private long leftOutNanos;
  private long returnedNanos;
  private boolean returned;

  private final AtomicInteger probe = new AtomicInteger(NO_PROBE);
  private volatile long nextProbeNanos;
  private volatile VolumeCondition condition = VolumeCondition.HEALTHY;
  private volatile boolean stalled;
  private volatile double slowness = 1;
  private volatile long availableBytes = -1;

  /** Bytes that open replicas have been able to take for long. */
  private volatile double standingBytes;

  /** How many writers it has at a time. */
  private volatile double writers;

  private final AtomicLong chosenBytes = new AtomicLong();
  private volatile long shareOffset;
  private volatile boolean joined;

  private final LongAdder choices = new LongAdder();
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
  }

  // What the volume does.

  /** Writes of replicas, in bytes. */
  ServiceMeter transfers() {
    return transfers;
  }

  /** A write has ended: if it was as fast as memory, it says nothing of the disk. */
  void transferred(long nanos, long bytes) {
    if (nanos <= CALL_NANOS + bytes) {
      cachedBytes.addAndGet(bytes);
    }
  }

  /** Syncs, files made and renamed. */
  ServiceMeter controls() {
    return controls;
  }

  /** The device was busy for so long and moved so many bytes. */
  void device(long busyNanos, long bytes) {
    deviceNanos.addAndGet(busyNanos);
    deviceBytes.addAndGet(bytes);
  }

  /** An operation failed. */
  void error() {
    errors.incrementAndGet();
  }

  long errors() {
    return errors.get();
  }

  /**
   * An operation was lost: HDFS has not said how it ended.
   *
   * @param error whether it is known that an error has ended it
   */
  void lost(boolean error) {
    lostOperations.increment();
    if (error) {
      error();
    }
  }

  long lostOperationCount() {
    return lostOperations.sum();
  }

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
    roomPolls.begin(System.nanoTime());
    try {
      availableBytes();
    } finally {
      roomPolls.fail(System.nanoTime());
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
    double most = Math.max(reserved, transfers.inFlight() * newcomerBytes / 2.0);
    double recent = Math.max(0, reserved - standingBytes);
    return Math.min(most, recent + writers * newcomerBytes);
  }

  // What it was given.

  void chosen(long bytes) {
    choices.increment();
    chosenBytes.addAndGet(bytes);
  }

  void foundFull() {
    full.increment();
  }

  /**
   * Bytes of replicas by which shares are compared: those that were and will be written if that is
   * measured, as a replica's length is not known when its volume is chosen; else those for which
   * the volume was chosen. A choice is a byte as well, so that replicas of none take turns.
   */
  long shareBytes() {
    long bytes = measured ? transfers.work() + gauges.inFlightBytes() : chosenBytes.get();
    return shareOffset + bytes + choiceCount();
  }

  /** The same, without what has been reserved for long and not been brought. */
  long recentShareBytes() {
    return measured ? shareBytes() - (long) standingBytes : shareBytes();
  }

  /** Bytes for which it was chosen. */
  long chosenBytes() {
    return chosenBytes.get();
  }

  /** Gives up what it lacks to have as much as others. */
  void forfeitUpTo(long bytes) {
    long lacking = bytes - shareBytes();
    if (lacking > 0) {
      shareOffset += lacking;
    }
  }

  boolean hasJoined() {
    return joined;
  }

  /** Begins to take its share, from what the others have on. */
  void join(long bytes) {
    shareOffset += bytes - shareBytes();
    joined = true;
  }

  // What is known of it.

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

  CostEstimate estimate(Signal signal) {
    return estimates[signal.ordinal()];
  }

  /**
   * What a byte written costs here at most: as far as bytes went into memory, the disk may have
   * needed all the time that passed.
   */
  double mostTransferCost() {
    CostEstimate estimate = estimate(Signal.TRANSFER);
    return estimate.cost() * mostTransferNanos() / estimate.spentNanos();
  }

  private double mostTransferNanos() {
    double spent = estimate(Signal.TRANSFER).spentNanos();
    double cachedShare = cached.isKnown() ? cached.cost() : 0;
    return spent + cachedShare * Math.max(0, waits.expectedNanos(1) - spent);
  }

  /** Whether it can be late: of one that is left out nothing is added up. */
  boolean isMeasuredAndHealthy() {
    return condition == VolumeCondition.HEALTHY && estimate(Signal.TRANSFER).isKnown();
  }

  /** When it was last left out. */
  long leftOutNanos() {
    return leftOutNanos;
  }

  /** By how much it is late, beyond what is borne, as of the last look. */
  double lateNanos() {
    return lateness.nanos();
  }

  /** Whether anything was ever measured. */
  boolean isInformed() {
    return transfers.work() > 0 || deviceBytes.get() > 0;
  }

  long choiceCount() {
    return choices.sum();
  }

  long probeCount() {
    return probes.sum();
  }

  long fullCount() {
    return full.sum();
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

  // Looking at it.

  /** Takes in what happened since the last time. */
  void observe(long nowNanos, VolumeChoiceOptions options) {
    long passed = nowNanos - observedNanos;
    observedNanos = nowNanos;
    if (probe.get() == CHOSEN && !probesAddUp) {
      eachEstimate(nowNanos, CostEstimate::reset);
      errorLevel = 0;
      expectNothing();
    } else if (passed < 0 || passed > LONGEST_GAP_NANOS) {
      eachEstimate(nowNanos, CostEstimate::skip);
      expectNothing();
    } else {
      // What probes find adds up.
      boolean forgets = condition == VolumeCondition.HEALTHY;
      double decay = forgets ? Math.exp(-(double) passed / options.windowNanos()) : 1;
      eachEstimate(nowNanos, (estimate, nanos, work) -> estimate.observe(nanos, work, decay));
      expectWriters(passed, options);
    }
    boolean stuck =
        isStuck(transfers, estimate(Signal.TRANSFER), nowNanos, options)
            | isStuck(controls, estimate(Signal.CONTROL), nowNanos, options)
            | roomPolls.stalledNanos(nowNanos) > options.stallNanos();
    if (stuck && !stalled) {
      stalls.incrementAndGet();
    }
    stalled = stuck;
    if (probe.compareAndSet(CHOSEN, RUNNING)) {
      probeBeganNanos = nowNanos;
    }
    observeErrors(Math.max(0, passed), options);
  }

  /** What is done to an estimate with all the time and work until now. */
  @FunctionalInterface
  private interface Step {
    void take(CostEstimate estimate, long totalNanos, long totalWork);
  }

  private void eachEstimate(long nowNanos, Step step) {
    long transferWaits = transfers.waitNanos(nowNanos);
    long controlWaits = controls.waitNanos(nowNanos);
    step.take(estimate(Signal.TRANSFER), transfers.busyNanos(nowNanos), transfers.work());
    step.take(estimate(Signal.TRANSFER_WAIT), transferWaits, transfers.work());
    step.take(estimate(Signal.CONTROL), controls.busyNanos(nowNanos), controls.work());
    step.take(estimate(Signal.CONTROL_WAIT), controlWaits, controls.work());
    step.take(estimate(Signal.DEVICE), deviceNanos.get(), deviceBytes.get());
    step.take(waits, transferWaits + controlWaits, nowNanos);
    step.take(cached, cachedBytes.get(), transfers.work());
  }

  private static boolean isStuck(
      ServiceMeter meter, CostEstimate estimate, long nowNanos, VolumeChoiceOptions options) {
    long stalledNanos = meter.stalledNanos(nowNanos);
    double workInFlight = meter.inFlight() * meter.workPerOperation();
    estimate.expect(stalledNanos, workInFlight);
    double expected = estimate.isKnown() ? workInFlight * estimate.cost() : 0;
    return stalledNanos > options.stallNanos() + expected;
  }

  /**
   * Operations in flight are writers at work, by Little's law as many as their times add up to; of
   * a device that others keep busy, whoever they are, they count as one.
   */
  private void expectWriters(long passed, VolumeChoiceOptions options) {
    double busyNanos = estimate(Signal.DEVICE).spentNanos();
    writers = Math.max(waits.spentNanos(), busyNanos) / Math.max(1, waits.expectedNanos(1));
    double inFlight = inFlightBytes();
    double follows = -Math.expm1(-passed / (double) options.windowNanos());
    standingBytes = Math.min(inFlight, standingBytes + (inFlight - standingBytes) * follows);
  }

  /** What was reserved, and what for, is not known of a time in which nobody looked. */
  private void expectNothing() {
    writers = 0;
    standingBytes = Math.min(inFlightBytes(), standingBytes);
  }

  private void observeErrors(long passed, VolumeChoiceOptions options) {
    long now = errors.get();
    errorLevel *= Math.exp(-passed / (ERROR_WINDOWS * options.windowNanos()));
    errorLevel += now - errorsSeen;
    errorsSeen = now;
  }

  /**
   * Decides what the volume gets from now on.
   *
   * @param peers what a unit of work costs its peers
   */
  void judge(long nowNanos, PeerCosts peers, VolumeChoiceOptions options) {
    slowness = agreedSlowness(peers);
    if (condition == VolumeCondition.HEALTHY) {
      compareWaits(peers, options);
      double late = lateness.nanos() - peers.lateNanos();
      if (errorLevel >= options.errorLimit()) {
        leaveOut(VolumeCondition.ERRING, erringExclusions, nowNanos, options);
      } else if (slowness(peers, PRIOR_NANOS) >= options.slowRatio()
          || late >= (options.slowRatio() - 1) * PRIOR_NANOS) {
        leaveOut(VolumeCondition.SLOW, slowExclusions, nowNanos, options);
      }
    } else if (probe.get() == RUNNING) {
      judgeProbe(nowNanos, peers, options);
    } else if (nextProbeNanos - nowNanos > probeInterval) {
      // The clock went back.
      nextProbeNanos = nowNanos + probeInterval;
    }
  }

  /** Peers that are the ratio as slow are borne. */
  private void compareWaits(PeerCosts peers, VolumeChoiceOptions options) {
    CostEstimate estimate = estimate(Signal.TRANSFER);
    if (stalled || !isComparable(Signal.TRANSFER, peers)) {
      lateness.reset();
    } else {
      lateness.add(
          estimate.nanosSinceLook(),
          options.slowRatio() * estimate.workSinceLook() * peers.mostTransfer());
    }
  }

  /** The time that was spent in that which peers would have, by the signal that says the most. */
  private double slowness(PeerCosts peers, double prior) {
    return further(operations(peers, prior), device(peers, prior));
  }

  /**
   * The same for shares, as far as the writers' own times say so, too: behind a controller that is
   * the limit a volume gets as much done as it has writers, and is neither fast nor slow for it.
   */
  private double agreedSlowness(PeerCosts peers) {
    double operations = operations(peers, PRIOR_NANOS);
    double waits =
        (spent(Signal.TRANSFER_WAIT, peers) + spent(Signal.CONTROL_WAIT, peers) + PRIOR_NANOS)
            / (expected(Signal.TRANSFER_WAIT, peers)
                + expected(Signal.CONTROL_WAIT, peers)
                + PRIOR_NANOS);
    double agreed =
        operations > 1
            ? Math.max(1, Math.min(operations, waits))
            : Math.min(1, Math.max(operations, waits));
    return further(agreed, device(peers, PRIOR_NANOS));
  }

  /** The one that is further from "like its peers". */
  private static double further(double one, double other) {
    return Math.abs(Math.log(one)) > Math.abs(Math.log(other)) ? one : other;
  }

  private double device(PeerCosts peers, double prior) {
    return (spent(Signal.DEVICE, peers) + prior) / (expected(Signal.DEVICE, peers) + prior);
  }

  /**
   * Of what is possible, as nobody sees what becomes of bytes in memory, that which is next to 1.
   */
  private double operations(PeerCosts peers, double prior) {
    double controls = spent(Signal.CONTROL, peers) + prior;
    double peersControls = expected(Signal.CONTROL, peers) + prior;
    double most = isComparable(Signal.TRANSFER, peers) ? mostTransferNanos() : 0;
    double least =
        (spent(Signal.TRANSFER, peers) + controls)
            / (expected(Signal.TRANSFER, peers.mostTransfer()) + peersControls);
    double greatest = (most + controls) / (expected(Signal.TRANSFER, peers) + peersControls);
    return Math.max(least, Math.min(1, greatest));
  }

  private boolean isComparable(Signal signal, PeerCosts peers) {
    return peers.cost(signal) > 0 && estimate(signal).isKnown();
  }

  private double spent(Signal signal, PeerCosts peers) {
    return isComparable(signal, peers) ? estimate(signal).spentNanos() : 0;
  }

  private double expected(Signal signal, PeerCosts peers) {
    return expected(signal, peers.cost(signal));
  }

  private double expected(Signal signal, double cost) {
    return cost > 0 && estimate(signal).isKnown() ? estimate(signal).expectedNanos(cost) : 0;
  }

  private void leaveOut(
      VolumeCondition why, AtomicLong count, long nowNanos, VolumeChoiceOptions options) {
    boolean relapse =
        returned && nowNanos - returnedNanos < RELAPSE_INTERVALS * options.maxProbeNanos();
    leftOutNanos = nowNanos;
    probeInterval =
        relapse ? Math.min(2 * probeInterval, options.maxProbeNanos()) : options.probeNanos();
    nextProbeNanos = nowNanos + probeInterval;
    probesAddUp = false;
    lateness.reset();
    count.incrementAndGet();
    condition = why;
  }

  // Probes.

  /**
   * Takes the right to be probed now, for one of the threads that ask.
   *
   * @param choices since the last probe of any volume
   */
  boolean tryProbe(long nowNanos, long choices, VolumeChoiceOptions options) {
    if (condition == VolumeCondition.HEALTHY || stalled || nowNanos < nextProbeNanos) {
      return false;
    }
    // As many as are asked for once it waits for the longest time; before, fewer.
    long enough = options.choicesPerProbe() * probeInterval / options.maxProbeNanos();
    return choices >= enough && probe.compareAndSet(NO_PROBE, CHOSEN);
  }

  /** It was chosen as a probe. */
  void probed() {
    probes.increment();
  }

  /** It could not be chosen, as it has no room. */
  void probeRefused() {
    probe.set(NO_PROBE);
  }

  private void judgeProbe(long nowNanos, PeerCosts peers, VolumeChoiceOptions options) {
    double most = RETURN_SHARE * options.slowRatio();
    double cost = peers.mostTransfer();
    double inFlight = transfers.inFlight() * transfers.workPerOperation();
    double whole =
        Math.max(Math.max(PROBE_BYTES, inFlight) * cost, expected(Signal.TRANSFER, cost));
    double spent = estimate(Signal.TRANSFER).spentNanos();
    boolean late = cost > 0 && spent + PROBE_PRIOR_NANOS > most * (whole + PROBE_PRIOR_NANOS);
    if (late || errorLevel >= 1) {
      probeAgain(nowNanos, 2, options);
    } else if (hasProbeEvidence()) {
      if (slowness(peers, PROBE_PRIOR_NANOS) <= most) {
        comeBack(nowNanos, peers);
      } else {
        probeAgain(nowNanos, 2, options);
      }
    } else if (isProbeOver(nowNanos, options)) {
      probeAgain(nowNanos, 1, options);
      probesAddUp = true;
    }
  }

  /** Enough bytes, and of a device that can be seen also those that it wrote itself. */
  private boolean hasProbeEvidence() {
    long written = estimate(Signal.TRANSFER).workSinceReset();
    boolean visible = deviceBytes.get() > 0;
    return written >= PROBE_BYTES
        && (!visible || estimate(Signal.DEVICE).workSinceReset() >= written / 2);
  }

  /** It was too small, or its writer has gone, or its pages are still in memory. */
  private boolean isProbeOver(long nowNanos, VolumeChoiceOptions options) {
    long written = estimate(Signal.TRANSFER).workSinceReset();
    boolean idle = transfers.inFlight() == 0 && gauges.inFlightBytes() == 0;
    return (idle && written > 0 && written < PROBE_BYTES)
        || nowNanos - probeBeganNanos > options.maxProbeNanos();
  }

  private void probeAgain(long nowNanos, int factor, VolumeChoiceOptions options) {
    probeInterval = Math.min(factor * probeInterval, options.maxProbeNanos());
    nextProbeNanos = nowNanos + probeInterval;
    probesAddUp = false;
    probe.set(NO_PROBE);
  }

  private void comeBack(long nowNanos, PeerCosts peers) {
    slowness = agreedSlowness(peers);
    comeBack(nowNanos);
  }

  private void comeBack(long nowNanos) {
    errorLevel = 0;
    probesAddUp = false;
    returned = true;
    returnedNanos = nowNanos;
    condition = VolumeCondition.HEALTHY;
    probe.set(NO_PROBE);
  }

  /** Takes part again without a probe, and is judged by what it does from now on. */
  void comeBackUnproven(long nowNanos) {
    eachEstimate(nowNanos, CostEstimate::reset);
    slowness = 1;
    comeBack(nowNanos);
  }
}
