package org.fastpath.bench.simulators.volumes;

import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
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

  /**
   * The load of the writers.
   *
   * @param writers number of writers
   * @param leastBytes smallest replica
   * @param mostBytes largest replica; sizes in between are equally likely
   * @param pauseNanos mean time between two replicas of a writer
   */
  record Load(int writers, long leastBytes, long mostBytes, double pauseNanos) {}

  private final SimulatedDisk[] disks;
  private final VolumeContenders.Policy policy;

  /** The volumes of our policy; null with another one. */
  private final SimulatedVolumes ours;

  private final SplittableRandom random;
  private final Load load;
  private final long[] dueNanos;
  private final long[] beganNanos;
  private final long[] bytes;
  private final int[] target;
  private final Histogram micros = new Histogram(LONGEST_MICROS, 2);
  private final int watched;
  private long nowNanos;
  private long leftOutNanos;
  private long lastLeftOutNanos;
  private long lookNanos;
  private long writtenBytes;

  /**
   * Creates a node.
   *
   * @param watched the disk whose exclusions are recorded
   */
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
    dueNanos = new long[load.writers()];
    beganNanos = new long[load.writers()];
    bytes = new long[load.writers()];
    target = new int[load.writers()];
    for (int writer = 0; writer < load.writers(); writer++) {
      dueNanos[writer] = pause();
      target[writer] = -1;
    }
  }

  /** Runs until a point in time. */
  void runUntil(long endNanos) {
    for (int next = next(); dueNanos[next] < endNanos; next = next()) {
      lookUntil(dueNanos[next]);
      nowNanos = dueNanos[next];
      if (target[next] < 0) {
        write(next);
      } else {
        written(next);
      }
    }
    lookUntil(endNanos);
  }

  private int next() {
    int next = 0;
    for (int writer = 1; writer < dueNanos.length; writer++) {
      if (dueNanos[writer] < dueNanos[next]) {
        next = writer;
      }
    }
    return next;
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

  private void write(int writer) {
    bytes[writer] = random.nextLong(load.leastBytes(), load.mostBytes() + 1);
    int disk = policy.choose(nowNanos, bytes[writer]);
    if (disk < 0) {
      throw new IllegalStateException("the policy refused a replica");
    }
    double effort = 1 + JITTER * (2 * random.nextDouble() - 1);
    target[writer] = disk;
    beganNanos[writer] = nowNanos;
    if (ours != null) {
      ours.begin(disk);
    }
    dueNanos[writer] = disks[disk].write(nowNanos, bytes[writer], effort);
  }

  private void written(int writer) {
    disks[target[writer]].written(bytes[writer]);
    if (ours != null) {
      ours.end(target[writer], bytes[writer]);
    }
    record(writer, nowNanos);
    writtenBytes += bytes[writer];
    target[writer] = -1;
    dueNanos[writer] = nowNanos + pause();
  }

  private long pause() {
    return (long) (-Math.log(1 - random.nextDouble()) * load.pauseNanos());
  }

  private void record(int writer, long endNanos) {
    micros.recordValue(Math.min(LONGEST_MICROS, (endNanos - beganNanos[writer]) / 1000));
  }

  /** Ends unfinished writes and counts their latency until then. */
  void abandonWrites(long endNanos) {
    IntStream.range(0, target.length)
        .filter(writer -> target[writer] >= 0)
        .forEach(writer -> record(writer, endNanos));
  }

  /** Resets latencies and bytes. */
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
    return ofAllDisks(ours == null ? disk -> 0 : ours::exclusions);
  }

  /** Returns the number of probes of all disks. */
  long probes() {
    return ofAllDisks(ours == null ? disk -> 0 : ours::probes);
  }

  private long ofAllDisks(IntToLongFunction count) {
    return IntStream.range(0, disks.length).mapToLong(count).sum();
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
