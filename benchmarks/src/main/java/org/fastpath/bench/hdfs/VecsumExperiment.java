package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.fastpath.bench.Interleaved;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.workload.Console;

/**
 * The story's {@code vecsum}: how fast a loop sums a file of doubles that the DataNode has locked
 * in memory, and what CPU time it costs, in each {@link ReadMode} and with each {@link SumLoop}.
 *
 * <p>In each round each mode has a client in a JVM of its own, one right after the other, another
 * one first each time. A client opens the file once and makes some passes that are not counted, in
 * which the JIT gets its turn and mappings get their pages, before those that are.
 */
public final class VecsumExperiment {
  private static final String CANDIDATE = ReadMode.ZERO_COPY.id();
  private static final String LOOP = "loop";

  private final Plan plan;
  private final Console console;
  private final Results.Builder results;

  /**
   * How much is done.
   *
   * @param modes by the names that {@link #modes()} lists
   * @param rounds how often each of them is measured
   * @param warmUps passes over the file that are not counted, for each loop
   * @param passes passes that are
   * @param bytes size of the file
   * @param blockBytes size of its HDFS blocks
   * @param chunkBytes how much is asked for at once
   */
  public record Plan(
      List<String> modes,
      int rounds,
      int warmUps,
      int passes,
      long bytes,
      long blockBytes,
      int chunkBytes) {
    /** Refuses modes that are unknown. */
    public Plan {
      modes.forEach(ReadMode::of);
    }
  }

  /** Prepares it. */
  public VecsumExperiment(Plan plan, Console console, Results.Builder results) {
    this.plan = plan;
    this.console = console;
    this.results = results;
  }

  /** All modes. */
  public static List<String> modes() {
    return Arrays.stream(ReadMode.values()).map(ReadMode::id).toList();
  }

  /** Runs it; the figures are in the results then. */
  public void run(HdfsTestbed testbed) throws IOException {
    results.candidate(CANDIDATE);
    Path path =
        testbed.provide("doubles", new DoubleFile(plan.bytes()), plan.blockBytes(), console);
    ClientFork.Telling telling =
        new ClientFork.Telling(
            HdfsClient.Work.VECSUM,
            ClientFork.directMemory(plan.bytes()),
            Map.of("size", Long.toString(plan.bytes())),
            LOOP,
            List.of(VecsumProbe.RATE, VecsumProbe.CPU));
    ClientFork fork = new ClientFork(testbed, telling, console, results);
    long dataNode = testbed.dataNode().pid();
    Interleaved.rounds(
        plan.rounds(),
        plan.modes(),
        (mode, round) ->
            fork.measure(ReadMode.of(mode).side(), round, arguments(mode, path, dataNode)));
  }

  private Map<String, String> arguments(String mode, Path path, long dataNode) {
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put(ClientProbe.MODE, mode);
    arguments.put(ClientProbe.PATH, path.toString());
    arguments.put(ClientProbe.BYTES, Long.toString(plan.bytes()));
    arguments.put(VecsumProbe.CHUNK, Integer.toString(plan.chunkBytes()));
    arguments.put(ClientProbe.WARM_UPS, Integer.toString(plan.warmUps()));
    arguments.put(VecsumProbe.PASSES, Integer.toString(plan.passes()));
    arguments.put(ClientProbe.DATA_NODE, Long.toString(dataNode));
    return arguments;
  }
}
