package org.fastpath.bench.simulators.volumes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * A number of DataNodes. Each has one disk that is slow for half of an hour. The same seed gives
 * the same disks, replicas and pauses to all policies.
 *
 * @param nodes number of DataNodes
 * @param disks disks of each
 * @param seed seed of all random choices
 */
record Fleet(int nodes, int disks, long seed) {
  private static final long SECOND = 1_000_000_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long FAULT = 5 * MINUTE;
  private static final long REPAIR = 35 * MINUTE;
  private static final long END = 60 * MINUTE;

  private static final double BYTES_PER_SECOND = 150e6;
  private static final long CAPACITY = 8L << 40;
  private static final long MIN_REPLICA = 32L << 20;
  private static final long MAX_REPLICA = 96L << 20;

  /** Each disk has two writers. They pause for two replicas of three, half of the capacity. */
  private static final int WRITERS_PER_DISK = 2;

  private static final double PAUSE = 1.3 * SECOND;

  private static final double[] PERCENTILES = {50, 99, 99.9};

  /** The outcome of all nodes with one policy and one kind of fault. Thread-safe. */
  static final class Outcome {
    private final Histogram micros = new Histogram(1, SimulatedNode.LONGEST_MICROS, 2);
    private final Map<Key, List<Double>> figures = new TreeMap<>(Comparator.comparing(Key::name));

    /** The key of a figure. */
    record Key(String name, String unit) {}

    /** Adds a node's latencies. */
    synchronized void latencies(Histogram ofNode) {
      micros.add(ofNode);
    }

    /** Adds one figure of a node; the result is the mean of all nodes. */
    synchronized void figure(String name, String unit, double value) {
      figures.computeIfAbsent(new Key(name, unit), any -> new ArrayList<>()).add(value);
    }

    /** Returns all figures. */
    synchronized Map<Key, Double> figures() {
      Map<Key, Double> all = new LinkedHashMap<>();
      for (double percentile : PERCENTILES) {
        String name = "write.p" + String.valueOf(percentile).replace(".0", "").replace(".", "");
        all.put(new Key(name, "ms"), micros.getValueAtPercentile(percentile) / 1e3);
      }
      figures.forEach(
          (key, values) ->
              all.put(key, values.stream().mapToDouble(Double::doubleValue).average().orElse(0)));
      return all;
    }
  }

  /** Runs all its nodes with one kind of fault; {@code done} is called after each. */
  Outcome run(VolumeContenders policy, FailSlowShape shape, Runnable done) {
    Outcome outcome = new Outcome();
    IntStream.range(0, nodes)
        .parallel()
        .forEach(
            node -> {
              run(policy, shape, new SplittableRandom(seed + node), outcome);
              done.run();
            });
    return outcome;
  }

  private void run(
      VolumeContenders policy, FailSlowShape shape, SplittableRandom random, Outcome outcome) {
    SimulatedDisk[] array = new SimulatedDisk[disks];
    for (int i = 0; i < disks; i++) {
      SpeedProfile profile =
          i == 0 ? shape.profile(FAULT, REPAIR, random) : SpeedProfile.constant(1);
      array[i] = new SimulatedDisk(BYTES_PER_SECOND, profile, CAPACITY, CAPACITY / 2);
    }
    SimulatedNode.Load load =
        new SimulatedNode.Load(WRITERS_PER_DISK * disks, MIN_REPLICA, MAX_REPLICA, PAUSE);
    SimulatedNode node = new SimulatedNode(policy, load, 0, random.nextLong(), array);
    node.runUntil(FAULT);
    node.beginMeasuring();
    node.runUntil(REPAIR);
    node.abandonWrites(REPAIR);
    outcome.latencies(node.micros());
    outcome.figure(
        "throughput", "MB/s", node.writtenBytes() / 1e6 / ((REPAIR - FAULT) / (double) SECOND));
    node.runUntil(END);
    double mean = Arrays.stream(array).mapToLong(SimulatedDisk::writtenBytes).average().orElse(1);
    double most = Arrays.stream(array).mapToLong(SimulatedDisk::writtenBytes).max().orElse(0);
    outcome.figure("balance", "max/mean", most / mean);
    exclusions(node, outcome);
  }

  private static void exclusions(SimulatedNode node, Outcome outcome) {
    outcome.figure("exclusions", "/h", node.contender().exclusions());
    outcome.figure("probes", "/h", node.contender().probes());
    if (node.leftOutNanos() > FAULT) {
      outcome.figure("detection", "s", (node.leftOutNanos() - FAULT) / (double) SECOND);
      outcome.figure(
          "return", "s", Math.max(0, node.lastLeftOutNanos() - REPAIR) / (double) SECOND);
    }
  }
}
