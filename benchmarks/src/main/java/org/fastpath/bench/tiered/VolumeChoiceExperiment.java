package org.fastpath.bench.tiered;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.fastpath.bench.Interleaved;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.results.Series;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.Pause;

/**
 * Clients write to a DataNode of eight volumes that are not alike, or of which one fails slowly. In
 * each round the DataNode runs with each policy, one right after the other, another one first each
 * time. A scenario lasts until the policy has had time to notice it, then it is measured; the
 * volumes recover while writers finish what they are in the middle of.
 */
public final class VolumeChoiceExperiment {
  private static final int MILLIS = 1000;

  private final Plan plan;
  private final Console console;
  private final Results.Builder results;

  /** By scenario and side: bytes on each volume in all rounds. */
  private final Map<Line, long[]> bytes = new LinkedHashMap<>();

  private int loads;

  private record Line(VolumeScenario scenario, String side) {}

  /**
   * How much is done.
   *
   * @param sides the policies
   * @param scenarios what volumes are like
   * @param rounds how often each policy is measured
   * @param threads writers
   * @param warmUpSeconds how long a scenario lasts before it is measured
   * @param seconds how long it is measured
   * @param fileBytes the size of a file, which is one block
   */
  public record Plan(
      List<PolicySide> sides,
      List<VolumeScenario> scenarios,
      int rounds,
      int threads,
      int warmUpSeconds,
      int seconds,
      int fileBytes) {}

  /** Prepares it. */
  public VolumeChoiceExperiment(Plan plan, Console console, Results.Builder results) {
    this.plan = plan;
    this.console = console;
    this.results = results;
  }

  /** The storage types of the volumes it is for. */
  public static List<String> volumes() {
    return Collections.nCopies(VolumeScenario.VOLUMES, Tier.HDD.volume());
  }

  /** Runs it; the figures are in the results then. */
  public void run(VolumeTestbed testbed) throws IOException {
    plan.sides().forEach(side -> results.describe(side.label(), side.description()));
    results.candidate(plan.sides().get(plan.sides().size() - 1).label());
    Interleaved.rounds(
        plan.rounds(),
        plan.sides(),
        (side, round) -> {
          testbed.use(side);
          Map<VolumeScenario, Writes> writes = new EnumMap<>(VolumeScenario.class);
          for (VolumeScenario scenario : plan.scenarios()) {
            writes.put(scenario, measure(testbed, side, scenario, round));
          }
          compareWithHealthy(side, writes);
        });
    drawVolumes();
  }

  private Writes measure(
      VolumeTestbed testbed, PolicySide side, VolumeScenario scenario, String round)
      throws IOException {
    Console.Step step =
        console.step(round + ", " + side.label() + ", " + scenario.label(), "files");
    Path directory = new Path("/load-" + ++loads);
    testbed.files().mkdirs(directory);
    testbed.apply(scenario);
    try (WriteLoad load =
        new WriteLoad(
            number -> testbed.files().create(new Path(directory, Integer.toString(number))),
            plan.threads(),
            plan.fileBytes())) {
      Pause.millis(plan.warmUpSeconds() * MILLIS);
      long from = System.nanoTime();
      Pause.millis(plan.seconds() * MILLIS);
      long to = System.nanoTime();
      load.stop();
      testbed.apply(VolumeScenario.HEALTHY);
      Writes writes = new Writes(from, to, load.await(), plan.fileBytes());
      record(side, scenario, writes);
      step.done(writes.toString());
      addBytes(side, scenario, testbed.bytesByVolume(directory));
      testbed.files().delete(directory, true);
      return writes;
    }
  }

  private void record(PolicySide side, VolumeScenario scenario, Writes writes) {
    Map<String, String> params = Map.of("scenario", scenario.label());
    results.round("volumes.throughput", params, side.label(), "MB/s", writes.throughput());
    results.round("volumes.write.p50", params, side.label(), "ms", writes.medianMillis());
    results.round("volumes.write.p99", params, side.label(), "ms", writes.tailMillis());
  }

  /** What a fault costs those who wait longest, with the same policy a minute before. */
  private void compareWithHealthy(PolicySide side, Map<VolumeScenario, Writes> writes) {
    Writes healthy = writes.remove(VolumeScenario.HEALTHY);
    if (healthy == null) {
      return;
    }
    writes.forEach(
        (scenario, slow) ->
            results.round(
                "volumes.write.p99.of-healthy",
                Map.of("scenario", scenario.label()),
                side.label(),
                "×",
                slow.tailMillis() / healthy.tailMillis()));
  }

  private void addBytes(PolicySide side, VolumeScenario scenario, long[] added) {
    long[] sum =
        bytes.computeIfAbsent(
            new Line(scenario, side.label()), any -> new long[VolumeScenario.VOLUMES]);
    Arrays.setAll(sum, i -> sum[i] + added[i]);
  }

  /** Lines over the volumes, as shares of all bytes. */
  private void drawVolumes() {
    bytes.forEach(
        (line, sum) -> {
          double all = Arrays.stream(sum).sum();
          results.series(
              new Series(
                  "bytes per volume, " + line.scenario().label(),
                  line.side(),
                  "volume",
                  "%",
                  IntStream.range(0, sum.length).mapToObj(i -> (double) i).toList(),
                  Arrays.stream(sum).mapToObj(volume -> 100 * volume / all).toList()));
        });
  }
}
