package org.fastpath.tiered.datanode;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What a volume was given, by which its share is compared with others. Thread-safe. */
final class ShareAccount {
  private final VolumeGauges gauges;
  private final ServiceMeter transfers;
  private final boolean measured;
  private final LongAdder choices = new LongAdder();
  private final AtomicLong chosenBytes = new AtomicLong();
  private volatile long offset;
  private volatile boolean joined;

  /** Bytes that open replicas have been able to take for long. */
  private volatile double standingBytes;

  /**
   * @param measured whether writes are reported
   */
  ShareAccount(VolumeGauges gauges, ServiceMeter transfers, boolean measured) {
    this.gauges = gauges;
    this.transfers = transfers;
    this.measured = measured;
  }

  void chosen(long bytes) {
    choices.increment();
    chosenBytes.addAndGet(bytes);
  }

  long choiceCount() {
    return choices.sum();
  }

  /** Bytes for which it was chosen. */
  long chosenBytes() {
    return chosenBytes.get();
  }

  /**
   * Bytes of replicas by which shares are compared: those that were and will be written if that is
   * measured, as a replica's length is not known when its volume is chosen; else those for which
   * the volume was chosen. A choice is a byte as well, so that replicas of none take turns.
   */
  long shareBytes() {
    long bytes = measured ? transfers.work() + gauges.inFlightBytes() : chosenBytes.get();
    return offset + bytes + choiceCount();
  }

  /** The same, without what has been reserved for long and not been brought. */
  long recentShareBytes() {
    return measured ? shareBytes() - (long) standingBytes : shareBytes();
  }

  double standingBytes() {
    return standingBytes;
  }

  /** What is reserved follows what stands, with the time that has passed. */
  void follow(long passedNanos, VolumeChoiceOptions options) {
    double inFlight = gauges.inFlightBytes();
    double follows = -Math.expm1(-passedNanos / (double) options.windowNanos());
    standingBytes = Math.min(inFlight, standingBytes + (inFlight - standingBytes) * follows);
  }

  /** Gives up what it lacks to have as much as others. */
  void forfeitUpTo(long bytes) {
    long lacking = bytes - shareBytes();
    if (lacking > 0) {
      offset += lacking;
    }
  }

  boolean hasJoined() {
    return joined;
  }

  /** Begins to take its share, from what the others have on. */
  void join(long bytes) {
    offset += bytes - shareBytes();
    joined = true;
  }
}
