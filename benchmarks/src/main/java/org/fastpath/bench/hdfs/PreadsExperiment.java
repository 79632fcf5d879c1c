package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.fastpath.bench.Interleaved;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.workload.Console;

/**
 * Positional reads of a file that the DataNode has locked in memory, of the size of HBase's blocks,
 * by the clients of {@link PreadSides}. In each round each of them has a JVM of its own, one right
 * after the other, another one first each time.
 */
public final class PreadsExperiment {
  private final Plan plan;
  private final Console console;
  private final Results.Builder results;

  /**
   * How much is done.
   *
   * @param rounds how often each side is measured
   * @param threads with how many threads each
   * @param warmUpMillis how long a client reads before it is measured, with each number of threads
   * @param measuredMillis how long it is measured
   * @param bytes size of the file, a multiple of that of its blocks
   * @param blockBytes size of its HDFS blocks
   * @param readBytes size of a read
   */
  public record Plan(
      int rounds,
      List<Integer> threads,
      int warmUpMillis,
      int measuredMillis,
      long bytes,
      long blockBytes,
      int readBytes) {}

  /** Prepares it. */
  public PreadsExperiment(Plan plan, Console console, Results.Builder results) {
    this.plan = plan;
    this.console = console;
    this.results = results;
  }

  /** Runs it; the figures are in the results then. */
  public void run(HdfsTestbed testbed) throws IOException {
    List<ClientSide> sides = PreadSides.ALL;
    results.candidate(PreadSides.OURS.id());
    Path path = testbed.provide("preads", new DoubleFile(plan.bytes()), plan.blockBytes(), console);
    ClientFork.Telling telling =
        new ClientFork.Telling(
            HdfsClient.Work.PREADS,
            ClientFork.directMemory(plan.bytes()),
            Map.of("size", Integer.toString(plan.readBytes())),
            "threads",
            List.of(PreadsProbe.TIME));
    ClientFork fork = new ClientFork(testbed, telling, console, results);
    Map<String, String> arguments = arguments(path);
    Interleaved.rounds(plan.rounds(), sides, (side, round) -> fork.measure(side, round, arguments));
  }

  private Map<String, String> arguments(Path path) {
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put(ClientProbe.PATH, path.toString());
    arguments.put(ClientProbe.BYTES, Long.toString(plan.bytes()));
    arguments.put(PreadsProbe.BLOCK, Long.toString(plan.blockBytes()));
    arguments.put(PreadsProbe.READ, Integer.toString(plan.readBytes()));
    arguments.put(
        PreadsProbe.THREADS,
        plan.threads().stream().map(String::valueOf).collect(Collectors.joining(",")));
    arguments.put(PreadsProbe.WARM_UP, Integer.toString(plan.warmUpMillis()));
    arguments.put(PreadsProbe.MEASURED, Integer.toString(plan.measuredMillis()));
    return arguments;
  }
}
