package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.fastpath.bench.Interleaved;
import org.fastpath.bench.Layout;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.workload.Console;

/**
 * The story's MapReduce jobs over a file of text that the DataNode has locked in memory: {@code
 * bytecount}, which does little but read and has one task for each HDFS block, beside wordcount and
 * grep, which have more to do with what they read. Jobs run in the client's JVM, in local mode. In
 * each round each mode has a JVM of its own, one right after the other, another one first each
 * time; the first jobs of a JVM are not counted.
 */
public final class BytecountExperiment {
  private final Plan plan;
  private final Console console;
  private final Results.Builder results;

  /**
   * How much is done.
   *
   * @param modes by the names that {@link #modes()} lists
   * @param rounds how often each of them is measured
   * @param jobs by the names that {@link #jobs()} lists
   * @param warmUps how often each job runs in a new JVM before it is measured
   * @param runs how often it is measured then
   * @param tasks map tasks at once
   * @param bytes size of the file
   * @param blockBytes size of its HDFS blocks
   */
  public record Plan(
      List<String> modes,
      int rounds,
      List<String> jobs,
      int warmUps,
      int runs,
      int tasks,
      long bytes,
      long blockBytes) {
    /** Refuses jobs that are unknown and modes that none of them has. */
    public Plan {
      jobs.forEach(TextJob::of);
      for (String mode : modes) {
        if (!BytecountExperiment.modes().contains(mode)) {
          throw new IllegalArgumentException(
              "there is no mode " + mode + ": " + String.join(", ", BytecountExperiment.modes()));
        }
      }
    }
  }

  /** Prepares it. */
  public BytecountExperiment(Plan plan, Console console, Results.Builder results) {
    this.plan = plan;
    this.console = console;
    this.results = results;
  }

  /** All modes. */
  public static List<String> modes() {
    return TextJob.BYTECOUNT.modes().stream().map(ReadMode::id).toList();
  }

  /** All jobs. */
  public static List<String> jobs() {
    return TextJob.labels();
  }

  /** Runs it; the figures are in the results then. */
  public void run(HdfsTestbed testbed) throws IOException {
    results.candidate(ReadMode.ZERO_COPY.id());
    JarText text = new JarText(Layout.here().libDirectory(), plan.bytes());
    Path path = testbed.provide("text", text, plan.blockBytes(), console);
    ClientFork.Telling telling =
        new ClientFork.Telling(
            HdfsClient.Work.JOBS,
            options -> options.heap("1g"),
            Map.of("size", Long.toString(plan.bytes())),
            "job",
            List.of(JobsProbe.TIME));
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
    arguments.put(JobsProbe.TASKS, Integer.toString(plan.tasks()));
    arguments.put(ClientProbe.WARM_UPS, Integer.toString(plan.warmUps()));
    arguments.put(JobsProbe.JOBS, String.join(",", plan.jobs()));
    arguments.put(JobsProbe.RUNS, Integer.toString(plan.runs()));
    arguments.put(ClientProbe.DATA_NODE, Long.toString(dataNode));
    return arguments;
  }
}
