package org.fastpath.bench.tiered;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.fastpath.bench.Interleaved;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.tiered.LockTestbed.Tier;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.Pause;
import org.fastpath.tiered.datanode.DatasetOperation;
import org.fastpath.tiered.datanode.TimedLocks;

/**
 * Clients write to the SSDs and the disks of a DataNode while replicas are copied to it, and the
 * disks are slow or very slow: what locks of the dataset cost those who write to the SSDs, and how
 * long operations take and wait (the story's Table 13). In each round the DataNode runs with the
 * locks of each side, anew for each scenario.
 */
public final class LockExperiment {
  private static final double NANOS_A_MILLI = 1e6;
  private static final int MILLIS = 1000;

  private final Plan plan;
  private final Console console;
  private final Results.Builder results;
  private int loads;

  /**
   * How much is done.
   *
   * @param rounds how often each side is measured
   * @param slowness how many times as slow as a disk the disks are, in turn
   * @param threads writers of each tier, in turn
   * @param warmUpSeconds how long each of these lasts before it is measured
   * @param seconds how long it is measured
   * @param fileBytes the size of a file, which is one block
   * @param copiesPerSecond replicas that are copied to the DataNode
   */
  public record Plan(
      int rounds,
      List<Integer> slowness,
      List<Integer> threads,
      int warmUpSeconds,
      int seconds,
      int fileBytes,
      int copiesPerSecond) {}

  private record Scenario(int slowness, int threads) {
    Map<String, String> params(String key, String value) {
      Map<String, String> params = new LinkedHashMap<>();
      params.put("disks slower", slowness + " times");
      params.put("writers per tier", Integer.toString(threads));
      params.put(key, value);
      return params;
    }
  }

  /** Prepares it. */
  public LockExperiment(Plan plan, Console console, Results.Builder results) {
    this.plan = plan;
    this.console = console;
    this.results = results;
  }

  private static String id(TimedLocks.Kind side) {
    return side.name().toLowerCase(Locale.ROOT);
  }

  /** Runs it; the figures are in the results then. */
  public void run(LockTestbed testbed) throws IOException {
    results.describe(id(TimedLocks.Kind.STOCK), "HDFS's locks of block pools and volumes");
    results.describe(
        id(TimedLocks.Kind.PATIENT), "ours: whoever writes a pool lets readers go first");
    results.describe(
        id(TimedLocks.Kind.UNLOCKED),
        "ours, without the lock of a volume: the most that finer locks could gain");
    results.candidate(id(TimedLocks.Kind.PATIENT));
    Interleaved.rounds(
        plan.rounds(),
        List.of(TimedLocks.Kind.values()),
        (side, round) -> {
          for (int slowness : plan.slowness()) {
            for (int threads : plan.threads()) {
              testbed.use(side);
              measure(testbed, side, new Scenario(slowness, threads), round);
            }
          }
        });
  }

  private void measure(LockTestbed testbed, TimedLocks.Kind side, Scenario scenario, String round)
      throws IOException {
    Console.Step step =
        console.step(
            String.format(
                Locale.ROOT,
                "%s, %s, disks %d times slower, %d writers per tier",
                round,
                id(side),
                scenario.slowness,
                scenario.threads),
            "files");
    String name = "load-" + ++loads;
    testbed.slowDisks(scenario.slowness);
    Map<Tier, WriteLoad> writers = new EnumMap<>(Tier.class);
    Path source = testbed.directory(name + "-copied", Tier.SSD);
    byte[] content = new byte[plan.fileBytes()];
    try (WriteLoad copies =
        new WriteLoad(number -> copy(testbed, new Path(source, "" + number), content), 1, 0)) {
      for (Tier tier : Tier.values()) {
        Path directory = testbed.directory(name, tier);
        writers.put(
            tier,
            new WriteLoad(
                number -> testbed.create(new Path(directory, Integer.toString(number))),
                scenario.threads,
                plan.fileBytes()));
      }
      Pause.millis(plan.warmUpSeconds() * MILLIS);
      long from = System.nanoTime();
      Pause.millis(plan.seconds() * MILLIS);
      long to = System.nanoTime();
      String operations = operations(testbed, side, scenario);
      writers.values().forEach(WriteLoad::stop);
      copies.stop();
      testbed.recover();
      copies.await();
      List<String> said = new ArrayList<>();
      for (Map.Entry<Tier, WriteLoad> load : writers.entrySet()) {
        Writes writes = new Writes(from, to, load.getValue().await(), plan.fileBytes());
        said.add(writes(side, scenario, load.getKey(), writes));
      }
      step.done(String.join("; ", said) + operations);
    } finally {
      writers.values().forEach(WriteLoad::close);
    }
    testbed.delete(name);
    testbed.delete(name + "-copied");
  }

  /** Every so often; what is written to the stream that it returns is nothing. */
  private OutputStream copy(LockTestbed testbed, Path file, byte[] content) throws IOException {
    testbed.copy(file, content);
    Pause.millis(MILLIS / plan.copiesPerSecond());
    return OutputStream.nullOutputStream();
  }

  private String writes(TimedLocks.Kind side, Scenario scenario, Tier tier, Writes writes) {
    Map<String, String> params = scenario.params("tier", tier.label());
    results.round("locks.throughput", params, id(side), "MB/s", writes.throughput());
    results.round("locks.write.p50", params, id(side), "ms", writes.medianMillis());
    results.round("locks.write.p99", params, id(side), "ms", writes.tailMillis());
    results.round("locks.write.max", params, id(side), "ms", writes.mostMillis());
    return tier.label() + " " + writes;
  }

  /** The rows of Table 13, which are of the time since the DataNode was started. */
  private String operations(LockTestbed testbed, TimedLocks.Kind side, Scenario scenario)
      throws IOException {
    StringBuilder said = new StringBuilder();
    for (DatasetOperation operation : DatasetOperation.values()) {
      JsonNode times = testbed.times(operation);
      Map<String, String> params =
          scenario.params("operation", operation.name().toLowerCase(Locale.ROOT));
      double execution = times.path("MaxExecutionNanos").asDouble() / NANOS_A_MILLI;
      double wait = times.path("MaxWaitNanos").asDouble() / NANOS_A_MILLI;
      results.round("locks.execution.max", params, id(side), "ms", execution);
      results.round("locks.wait.max", params, id(side), "ms", wait);
      said.append(
          String.format(
              Locale.ROOT,
              "; %s %d, execution and wait at most %.0f and %.0f ms",
              operation,
              times.path("Count").asLong(),
              execution,
              wait));
    }
    return said.toString();
  }
}
