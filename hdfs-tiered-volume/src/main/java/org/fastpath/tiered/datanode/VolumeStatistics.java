package org.fastpath.tiered.datanode;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The work of one volume and its recent cost.
 *
 * <p>Any thread reports operations. Only {@link #observe} changes the estimates; one thread at a
 * time calls it.
 */
final class VolumeStatistics {
  /** The quantities that are compared between volumes. */
  enum Signal {
    /** Writes of replicas; work is bytes. */
    TRANSFER,
    /** Syncs, and creations and renames of files; work is their number. */
    CONTROL,
    /** The device by the kernel's statistics, for all its users; work is bytes. */
    DEVICE,
    /** Like {@link #TRANSFER}, with the sum of the times of concurrent operations. */
    TRANSFER_WAIT,
    /** Like {@link #CONTROL}, with the sum of the times of concurrent operations. */
    CONTROL_WAIT
  }

  /** Errors are remembered for six times as long as costs. */
  private static final double ERROR_WINDOWS = 6;

  /** A longer gap between observations means that the machine slept; nothing was measured. */
  private static final long MAX_GAP_NANOS = 10_000_000_000L;

  /** A write went into memory if it took at most a call plus its bytes at 1 GB/s. */
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

  /** The sum of the times of all operations; work is the time that has passed. */
  private final CostEstimate waits = new CostEstimate();

  /** Bytes that were written into memory; work is all bytes. */
  private final CostEstimate cached = new CostEstimate();

  private long observedNanos;
  private double errorLevel;
  private long errorsSeen;

  /** The effect of an observation on earlier knowledge. */
  enum Memory {
    /** Earlier knowledge decays slowly. */
    FADES,
    /** Earlier knowledge stays, because results of probes add up. */
    STAYS,
    /** Earlier knowledge is dropped. */
    ENDS
  }

  // The work of the volume.

  /** Returns the writes of replicas, in bytes. */
  ServiceMeter transfers() {
    return transfers;
  }

  /** Returns the syncs and the creations and renames of files. */
  ServiceMeter controls() {
    return controls;
  }

  ServiceMeter roomPolls() {
    return roomPolls;
  }

  /** Reports a write. A write as fast as memory tells nothing about the disk. */
  void transferred(long nanos, long bytes) {
    if (nanos <= CALL_NANOS + bytes) {
      cachedBytes.addAndGet(bytes);
    }
  }

  /** Reports the busy time and the bytes of the device. */
  void device(long busyNanos, long bytes) {
    deviceNanos.addAndGet(busyNanos);
    deviceBytes.addAndGet(bytes);
  }

  /** Reports a failed operation. */
  void error() {
    errors.incrementAndGet();
  }

  long errors() {
    return errors.get();
  }

  /** Returns whether anything was measured so far. */
  boolean isInformed() {
    return transfers.work() > 0 || isDeviceVisible();
  }

  /** Returns whether the kernel has statistics of the device. */
  boolean isDeviceVisible() {
    return deviceBytes.get() > 0;
  }

  // Observing it.

  /**
   * Adds the work since the last call.
   *
   * @return nanoseconds since then; negative if the time cannot be used
   */
  long observe(long nowNanos, Memory memory, VolumeChoiceOptions options) {
    long passed = nowNanos - observedNanos;
    observedNanos = nowNanos;
    boolean slept = passed < 0 || passed > MAX_GAP_NANOS;
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

  /** Drops all costs and errors. */
  void forget(long nowNanos) {
    eachEstimate(nowNanos, CostEstimate::reset);
    forgetErrors();
  }

  void forgetErrors() {
    errorLevel = 0;
  }

  /** An update of an estimate with all the time and work until now. */
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

  /** Returns whether operations are in flight and none has ended for much longer than expected. */
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

  // Returns the estimate of a signal.

  CostEstimate estimate(Signal signal) {
    return estimates[signal.ordinal()];
  }

  /** Returns the recent errors. */
  double errorLevel() {
    return errorLevel;
  }

  /**
   * Returns the mean number of concurrent writers. By Little's law it is the sum of the operations'
   * times divided by the passed time. If others keep the device busy, they count as one.
   */
  double writers() {
    double busyNanos = estimate(Signal.DEVICE).spentNanos();
    return Math.max(waits.spentNanos(), busyNanos) / Math.max(1, waits.expectedNanos(1));
  }

  /**
   * Returns the maximum cost of a written byte. For bytes that went into memory, the disk may have
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
