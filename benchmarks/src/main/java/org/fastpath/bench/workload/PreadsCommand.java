package org.fastpath.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.fastpath.bench.hdfs.PreadsExperiment;
import org.fastpath.bench.results.Results;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@link PreadsExperiment}. */
@Command(
    name = "preads",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Positional reads of a file in the DataNode's memory, as a RegionServer makes them: "
            + "time and CPU time per read, reads per second. Sides: hbase-defaults; stock-best, "
            + "without read-ahead; ours, from a mapping. Side ours-slices takes slices without a "
            + "copy; side memory is a bare copy of process memory.")
final class PreadsCommand implements Callable<Integer> {
  private static final int MILLIS = 1000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--size",
      paramLabel = "MB",
      description = "Size of the file, at least a block (default: ${DEFAULT-VALUE}).")
  private int size = 512;

  @Option(
      names = "--block",
      paramLabel = "MB",
      description = "Size of its HDFS blocks (default: ${DEFAULT-VALUE}).")
  private int block = 128;

  @Option(
      names = "--read",
      paramLabel = "KB",
      description = "Size of a read (default: ${DEFAULT-VALUE}).")
  private int read = 64;

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      description = "Reading threads (default: 1,2).")
  private List<Integer> threads = List.of(1, 2);

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each side is measured (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      description = "How long a client reads before it is measured (default: ${DEFAULT-VALUE}).")
  private int warmUp = 4;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "How long each side is measured in a round, with each number of threads (default: ${DEFAULT-VALUE}).")
  private int seconds = 4;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go, and the cluster while it runs (default: build/preads).")
  private Path out;

  @Override
  public Integer call() throws IOException {
    PreadsExperiment.Plan plan = plan();
    Results.Builder results =
        Commands.results(spec, "Positional reads of a file in the DataNode's cache");
    Commands.runOnHdfs(
        out,
        "preads",
        plan.bytes(),
        results,
        (testbed, console) -> new PreadsExperiment(plan, console, results).run(testbed));
    return 0;
  }

  private PreadsExperiment.Plan plan() {
    Commands.atLeast(spec, "--block", 1, block);
    Commands.atLeast(spec, "--size", block, size);
    Commands.atLeast(spec, "--read", 1, read);
    Commands.atLeast(spec, "--block in KB", read, block << 10);
    threads.forEach(number -> Commands.atLeast(spec, "--threads", 1, number));
    Commands.atLeast(spec, "--rounds", 1, rounds);
    Commands.atLeast(spec, "--warm-up", 0, warmUp);
    Commands.atLeast(spec, "--seconds", 1, seconds);
    return new PreadsExperiment.Plan(
        rounds,
        threads,
        warmUp * MILLIS,
        seconds * MILLIS,
        (long) size << 20,
        (long) block << 20,
        read << 10);
  }
}
