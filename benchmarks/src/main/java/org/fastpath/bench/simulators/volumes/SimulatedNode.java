package org.fastpath.bench.simulators.volumes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.fastpath.tiered.datanode.SimulatedVolumes;

/**
 * A DataNode whose writers each write one replica after the other, with a pause in between. Each
 * disk writes its replicas one by one, with some jitter. The same seed gives the same run. Not
 * thread-safe.
 */
final class SimulatedNode {
  private static final long SECOND = 1_000_000_000;
  private static final double JITTER = 0.25;

  /** The longest distinguished latency, three hours. */
  static final long LONGEST_MICROS = 3L * 3600 * 1_000_000;

  /** Writers, their replicas of equally likely sizes, and the mean pause between two of them. */
  record Load(int writers, long leastBytes, long mostBytes, double pauseNanos) {}

  private final SimulatedDisk[] disks;
  private final VolumeContenders.Policy policy;

  /** The volumes of our policy; null with another one. */
  private final SimulatedVolumes ours;

  private final SplittableRandom random;
  private final Load load;
  private final List<Writer> writers = new ArrayList<>();
  private final Histogram micros = new Histogram(LONGEST_MICROS, 2);
  private final int watched;
  private long nowNanos;
  private long leftOutNanos;
  private long lastLeftOutNanos;
  private long lookNanos;
  private long writtenBytes;

  /** A writer: the time of its next step, and its replica. Between replicas the disk is -1. */
  private static final class Writer {
    private long dueNanos;
    private long beganNanos;
    private long bytes;
    private int disk = -1;
  }

  /** Creates a node that records the exclusions of the watched disk. */
  SimulatedNode(
      VolumeContenders policy, Load load, int watched, long seed, SimulatedDisk... disks) {
    this.disks = disks.clone();
    this.load = load;
    this.watched = watched;
    random = new SplittableRandom(seed);
    SplittableRandom choices = new SplittableRandom(random.nextLong());
    ours =
        policy == VolumeContenders.OURS
            ? new SimulatedVolumes(
                disks.length,
                disk -> disks[disk].availableBytes(),
                disk -> disks[disk].inFlightBytes(),
                () -> nowNanos,
                choices::nextLong)
            : null;
    this.policy = policy.over(this.disks, ours);
    for (int i = 0; i < load.writers(); i++) {
      Writer writer = new Writer();
      writer.dueNanos = pause();
      writers.add(writer);
    }
  }

  void runUntil(long endNanos) {
    for (Writer next = next(); next.dueNanos < endNanos; next = next()) {
      lookUntil(next.dueNanos);
      nowNanos = next.dueNanos;
      if (next.disk < 0) {
        write(next);
      } else {
        written(next);
      }
    }
    lookUntil(endNanos);
  }

  private Writer next() {
    return Collections.min(writers, Comparator.comparingLong(writer -> writer.dueNanos));
  }

  private void lookUntil(long nanos) {
    while (lookNanos + SECOND <= nanos) {
      lookNanos += SECOND;
      nowNanos = lookNanos;
      if (ours != null) {
        ours.refresh();
        if (!ours.isEligible(watched)) {
          leftOutNanos = leftOutNanos == 0 ? lookNanos : leftOutNanos;
          lastLeftOutNanos = lookNanos;
        }
      }
    }
  }

  private void write(Writer writer) {
    writer.bytes = random.nextLong(load.leastBytes(), load.mostBytes() + 1);
    writer.disk = policy.choose(nowNanos, writer.bytes);
    if (writer.disk < 0) {
      throw new IllegalStateException("the policy refused a replica");
    }
    double effort = 1 + JITTER * (2 * random.nextDouble() - 1);
    writer.beganNanos = nowNanos;
    if (ours != null) {
      ours.begin(writer.disk);
    }
    writer.dueNanos = disks[writer.disk].write(nowNanos, writer.bytes, effort);
  }

  private void written(Writer writer) {
    disks[writer.disk].written(writer.bytes);
    if (ours != null) {
      ours.end(writer.disk, writer.bytes);
    }
    record(writer, nowNanos);
    writtenBytes += writer.bytes;
    writer.disk = -1;
    writer.dueNanos = nowNanos + pause();
  }

  private long pause() {
    return (long) (-Math.log(1 - random.nextDouble()) * load.pauseNanos());
  }

  private void record(Writer writer, long endNanos) {
    micros.recordValue(Math.min(LONGEST_MICROS, (endNanos - writer.beganNanos) / 1000));
  }

  /** Ends unfinished writes and counts their latency until then. */
  void abandonWrites(long endNanos) {
    writers.stream().filter(writer -> writer.disk >= 0).forEach(writer -> record(writer, endNanos));
  }

  void beginMeasuring() {
    micros.reset();
    writtenBytes = 0;
  }

  Histogram micros() {
    return micros;
  }

  long writtenBytes() {
    return writtenBytes;
  }

  /** Returns the number of exclusions of all disks. */
  long exclusions() {
    return ours == null ? 0 : IntStream.range(0, disks.length).mapToLong(ours::exclusions).sum();
  }

  /** Returns the number of probes of all disks. */
  long probes() {
    return ours == null ? 0 : IntStream.range(0, disks.length).mapToLong(ours::probes).sum();
  }

  /** Returns the second of the watched disk's first exclusion; 0 if there was none. */
  long leftOutNanos() {
    return leftOutNanos;
  }

  /** Returns the time of its last exclusion. */
  long lastLeftOutNanos() {
    return lastLeftOutNanos;
  }
}
