package org.fastpath.bench.simulators.volumes;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Simulates an hour of DataNodes, each with one disk that is slow for half of the hour. The same
 * seed gives the same disks, replicas and pauses to all policies.
 *
 * <p>It is a separate command line, because its class path has the jar of our policy. The stock
 * worlds must not have that jar.
 */
@Command(
    name = "volume-simulation",
    header = "Volume choice, simulated",
    description =
        "An hour of DataNodes with a disk that fails slowly: our policy, HDFS's, and an oracle. No"
            + " cluster is needed.")
@Experiment.Quick("--nodes 60")
public final class VolumeSimulation extends Experiment {
  private static final long SECOND = 1_000_000_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long FAULT = 5 * MINUTE;
  private static final long REPAIR = 35 * MINUTE;
  private static final long END = 60 * MINUTE;
  private static final int DISKS = 12;
  private static final double BYTES_PER_SECOND = 150e6;
  private static final long CAPACITY = 8L << 40;

  /** Each disk has two writers. They pause for two replicas of three, half of the capacity. */
  private static final int WRITERS_PER_DISK = 2;

  private static final double PAUSE = 1.3 * SECOND;

  private static final List<Figure<List<NodeHour>>> FIGURES =
      List.of(
          Figure.low("write.p50", "ms", hours -> millis(hours, 50)),
          Figure.low("write.p99", "ms", hours -> millis(hours, 99)),
          Figure.low("write.p999", "ms", hours -> millis(hours, 99.9)),
          Figure.high("throughput", "MB/s", hours -> mean(hours, NodeHour::throughput)),
          Figure.low("balance", "max/mean", hours -> mean(hours, NodeHour::balance)),
          Figure.low("exclusions", "/h", hours -> mean(hours, NodeHour::exclusions)),
          Figure.low("probes", "/h", hours -> mean(hours, NodeHour::probes)),
          Figure.low("detection", "s", hours -> mean(hours, NodeHour::detection)),
          Figure.low("return", "s", hours -> mean(hours, NodeHour::back)));

  @Option(names = "--nodes", description = "DataNodes, divided among the kinds of faults.")
  private int nodes = 1000;

  @Option(names = "--seeds", split = ",", description = "Seeds of the fleets; one round each.")
  private List<Long> seeds = List.of(1L);

  /**
   * The outcome of one node.
   *
   * @param micros latencies of the writes during the fault
   * @param detection seconds until the slow disk was excluded; NaN if it was not
   * @param back seconds from the repair to its return; NaN if it was not excluded
   */
  record NodeHour(
      Histogram micros,
      double throughput,
      double balance,
      double exclusions,
      double probes,
      double detection,
      double back) {}

  public static void main(String[] args) {
    System.exit(Experiment.execute(new VolumeSimulation(), args));
  }

  @Override
  protected void check() {
    atLeast("--nodes", FailSlowShape.values().length, nodes);
  }

  @Override
  protected void run(Run run) {
    for (VolumeContenders policy : VolumeContenders.values()) {
      run.results().describe(policy.title, policy.description);
    }
    run.results().candidate(VolumeContenders.OURS.title);
    for (long seed : seeds) {
      for (FailSlowShape shape : FailSlowShape.values()) {
        for (VolumeContenders policy : VolumeContenders.values()) {
          record(run, shape, policy, seed);
        }
      }
    }
  }

  private void record(Run run, FailSlowShape shape, VolumeContenders policy, long seed) {
    Console.Step step = run.step("", shape.title, policy.title);
    List<NodeHour> hours =
        IntStream.range(0, nodes / FailSlowShape.values().length)
            .parallel()
            .mapToObj(node -> simulate(policy, shape, DISKS, seed + node))
            .toList();
    // A policy that never excludes a disk has no time of detection.
    List<Figure<List<NodeHour>>> figures =
        FIGURES.stream().filter(figure -> !Double.isNaN(figure.of(hours))).toList();
    Map<String, String> params = Map.of("fault", shape.title);
    run.round(figures, "volume-simulation.", params, policy.title, hours);
    String line =
        figures.stream()
            .map(figure -> String.format(Locale.ROOT, "%s %.4g", figure.name(), figure.of(hours)))
            .collect(Collectors.joining("; "));
    step.done(line);
  }

  static NodeHour simulate(VolumeContenders policy, FailSlowShape shape, int disks, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SimulatedDisk[] array = new SimulatedDisk[disks];
    for (int i = 0; i < disks; i++) {
      SpeedProfile profile =
          i == 0 ? shape.profile(FAULT, REPAIR, random) : SpeedProfile.constant(1);
      array[i] = new SimulatedDisk(BYTES_PER_SECOND, profile, CAPACITY, CAPACITY / 2);
    }
    SimulatedNode.Load load =
        new SimulatedNode.Load(WRITERS_PER_DISK * disks, 32L << 20, 96L << 20, PAUSE);
    SimulatedNode node = new SimulatedNode(policy, load, 0, random.nextLong(), array);
    node.runUntil(FAULT);
    node.beginMeasuring();
    node.runUntil(REPAIR);
    node.abandonWrites(REPAIR);
    Histogram micros = node.micros().copy();
    double throughput = node.writtenBytes() / 1e6 / seconds(REPAIR - FAULT);
    node.runUntil(END);
    LongSummaryStatistics written =
        Arrays.stream(array).mapToLong(SimulatedDisk::writtenBytes).summaryStatistics();
    boolean noticed = node.leftOutNanos() > FAULT;
    return new NodeHour(
        micros,
        throughput,
        written.getMax() / written.getAverage(),
        node.exclusions(),
        node.probes(),
        noticed ? seconds(node.leftOutNanos() - FAULT) : Double.NaN,
        noticed ? Math.max(0, seconds(node.lastLeftOutNanos() - REPAIR)) : Double.NaN);
  }

  private static double seconds(long nanos) {
    return nanos / (double) SECOND;
  }

  private static double millis(List<NodeHour> hours, double percentile) {
    Histogram all = new Histogram(1, SimulatedNode.LONGEST_MICROS, 2);
    hours.forEach(hour -> all.add(hour.micros()));
    return all.getValueAtPercentile(percentile) / 1e3;
  }

  /** Returns the mean of the nodes that have the figure; NaN if none has it. */
  private static double mean(List<NodeHour> hours, ToDoubleFunction<NodeHour> figure) {
    return hours.stream()
        .mapToDouble(figure)
        .filter(value -> !Double.isNaN(value))
        .average()
        .orElse(Double.NaN);
  }
}
