package org.fastpath.tiered.datanode;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts the bytes given to a volume, to compare its share with others. Thread-safe. */
final class ShareAccount {
  private final VolumeGauges gauges;
  private final ServiceMeter transfers;
  private final boolean measured;
  private final LongAdder choices = new LongAdder();
  private final AtomicLong chosenBytes = new AtomicLong();
  private volatile long offset;
  private volatile boolean joined;

  /** Bytes that have been reserved for open replicas for long. */
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

  /** Returns the bytes for which the volume was chosen. */
  long chosenBytes() {
    return chosenBytes.get();
  }

  /**
   * Returns the bytes by which shares are compared. If writes are measured, these are the written
   * and the reserved bytes, because a replica's length is unknown when its volume is chosen.
   * Otherwise these are the requested bytes. Each choice adds a byte, so that empty replicas
   * alternate too.
   */
  long shareBytes() {
    long bytes = measured ? transfers.work() + gauges.inFlightBytes() : chosenBytes.get();
    return offset + bytes + choiceCount();
  }

  /** Returns the same without bytes that have been reserved for long and were not written. */
  long recentShareBytes() {
    return measured ? shareBytes() - (long) standingBytes : shareBytes();
  }

  double standingBytes() {
    return standingBytes;
  }

  /** Moves the long-term reservation towards the current one, by the time that has passed. */
  void follow(long passedNanos, VolumeChoiceOptions options) {
    double inFlight = gauges.inFlightBytes();
    double follows = -Math.expm1(-passedNanos / (double) options.windowNanos());
    standingBytes = Math.min(inFlight, standingBytes + (inFlight - standingBytes) * follows);
  }

  /** Forfeits the missing bytes up to those of the others. */
  void forfeitUpTo(long bytes) {
    long lacking = bytes - shareBytes();
    if (lacking > 0) {
      offset += lacking;
    }
  }

  boolean hasJoined() {
    return joined;
  }

  /** Begins to take its share, at the level of the others. */
  void join(long bytes) {
    offset += bytes - shareBytes();
    joined = true;
  }
}
