package org.fastpath.tiered.datanode;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * What one volume does, and what that cost of late.
 *
 * <p>Any thread reports operations. Estimates change in {@link #observe}, which one thread at a
 * time calls.
 */
final class VolumeStatistics {
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

  /** Errors are remembered for six times as long as costs. */
  private static final double ERROR_WINDOWS = 6;

  /** After so long without an observation the machine has slept: nothing was measured. */
  private static final long LONGEST_GAP_NANOS = 10_000_000_000L;

  /** A write is into memory if it takes no longer than a call and a gigabyte a second. */
  private static final long CALL_NANOS = 20_000;

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

  /** The time of all operations, added up; work is the time that has passed. */
  private final CostEstimate waits = new CostEstimate();

  /** Bytes that were written into memory; work is all bytes. */
  private final CostEstimate cached = new CostEstimate();

  private long observedNanos;
  private double errorLevel;
  private long errorsSeen;

  /** What an observation does with what was known. */
  enum Memory {
    /** What was known is forgotten slowly. */
    FADES,
    /** What was known stays, as what probes find adds up. */
    STAYS,
    /** What was known is forgotten. */
    ENDS
  }

  // What the volume does.

  /** Writes of replicas, in bytes. */
  ServiceMeter transfers() {
    return transfers;
  }

  /** Syncs, files made and renamed. */
  ServiceMeter controls() {
    return controls;
  }

  ServiceMeter roomPolls() {
    return roomPolls;
  }

  /** A write has ended: if it was as fast as memory, it says nothing of the disk. */
  void transferred(long nanos, long bytes) {
    if (nanos <= CALL_NANOS + bytes) {
      cachedBytes.addAndGet(bytes);
    }
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

  /** Whether anything was ever measured. */
  boolean isInformed() {
    return transfers.work() > 0 || isDeviceVisible();
  }

  /** Whether the kernel says what the device does. */
  boolean isDeviceVisible() {
    return deviceBytes.get() > 0;
  }

  // Observing it.

  /**
   * Takes in what happened since the last time.
   *
   * @return nanoseconds since then; negative if nothing can be said of them
   */
  long observe(long nowNanos, Memory memory, VolumeChoiceOptions options) {
    long passed = nowNanos - observedNanos;
    observedNanos = nowNanos;
    boolean slept = passed < 0 || passed > LONGEST_GAP_NANOS;
    if (memory == Memory.ENDS) {
      forget(nowNanos);
    } else if (slept) {
      eachEstimate(nowNanos, CostEstimate::skip);
    } else {
      double decay =
          memory == Memory.FADES ? Math.exp(-(double) passed / options.windowNanos()) : 1;
      eachEstimate(nowNanos, (estimate, nanos, work) -> estimate.observe(nanos, work, decay));
    }
    observeErrors(Math.max(0, passed), options);
    return slept || memory == Memory.ENDS ? -1 : passed;
  }

  /** Forgets what is known of costs and errors. */
  void forget(long nowNanos) {
    eachEstimate(nowNanos, CostEstimate::reset);
    forgetErrors();
  }

  void forgetErrors() {
    errorLevel = 0;
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

  private void observeErrors(long passed, VolumeChoiceOptions options) {
    long now = errors.get();
    errorLevel *= Math.exp(-passed / (ERROR_WINDOWS * options.windowNanos()));
    errorLevel += now - errorsSeen;
    errorsSeen = now;
  }

  /** Whether operations are in flight, and none has ended for much longer than they should take. */
  boolean isStuck(long nowNanos, VolumeChoiceOptions options) {
    return isStuck(transfers, estimate(Signal.TRANSFER), nowNanos, options)
        | isStuck(controls, estimate(Signal.CONTROL), nowNanos, options)
        | roomPolls.stalledNanos(nowNanos) > options.stallNanos();
  }

  private static boolean isStuck(
      ServiceMeter meter, CostEstimate estimate, long nowNanos, VolumeChoiceOptions options) {
    long stalledNanos = meter.stalledNanos(nowNanos);
    double workInFlight = meter.inFlight() * meter.workPerOperation();
    estimate.expect(stalledNanos, workInFlight);
    double expected = estimate.isKnown() ? workInFlight * estimate.cost() : 0;
    return stalledNanos > options.stallNanos() + expected;
  }

  // What is known of it.

  CostEstimate estimate(Signal signal) {
    return estimates[signal.ordinal()];
  }

  /** Errors of late. */
  double errorLevel() {
    return errorLevel;
  }

  /**
   * How many writers it has at a time. Operations in flight are writers at work, by Little's law as
   * many as their times add up to; of a device that others keep busy they count as one.
   */
  double writers() {
    double busyNanos = estimate(Signal.DEVICE).spentNanos();
    return Math.max(waits.spentNanos(), busyNanos) / Math.max(1, waits.expectedNanos(1));
  }

  /**
   * What a byte written costs here at most: as far as bytes went into memory, the disk may have
   * needed all the time that passed.
   */
  double mostTransferCost() {
    CostEstimate estimate = estimate(Signal.TRANSFER);
    return estimate.cost() * mostTransferNanos() / estimate.spentNanos();
  }

  double mostTransferNanos() {
    double spent = estimate(Signal.TRANSFER).spentNanos();
    double cachedShare = cached.isKnown() ? cached.cost() : 0;
    return spent + cachedShare * Math.max(0, waits.expectedNanos(1) - spent);
  }
}
