package org.fastpath.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.fastpath.bench.hdfs.VecsumExperiment;
import org.fastpath.bench.results.Results;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@link VecsumExperiment}. */
@Command(
    name = "vecsum",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Sums a file of doubles in the DataNode's memory by one thread: GB/s and CPU seconds "
            + "per GB. Modes: tcp, tcp-no-checksum, short-circuit, short-circuit-no-checksum, "
            + "zero-copy. Mode zero-copy-remapped drops its mappings; mode memory runs the same "
            + "loop over memory of the process.")
final class VecsumCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--size",
      paramLabel = "MB",
      description = "Size of the file; twice as much memory is needed (default: ${DEFAULT-VALUE}).")
  private int size = 1024;

  @Option(
      names = "--block",
      paramLabel = "MB",
      description = "Size of its HDFS blocks (default: ${DEFAULT-VALUE}).")
  private int block = 128;

  @Option(
      names = "--chunk",
      paramLabel = "KB",
      description = "How much is read at once (default: ${DEFAULT-VALUE}, as in the story).")
  private int chunk = 8192;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each mode is measured (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(
      names = "--warm-ups",
      paramLabel = "N",
      description = "Passes that are not counted, with each loop (default: ${DEFAULT-VALUE}).")
  private int warmUps = 3;

  @Option(
      names = "--passes",
      paramLabel = "N",
      description = "Passes that are, with each loop (default: ${DEFAULT-VALUE}).")
  private int passes = 8;

  @Option(
      names = "--modes",
      paramLabel = "MODE",
      split = ",",
      description = "Which modes are measured (default: all).")
  private List<String> modes = VecsumExperiment.modes();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go, and the cluster while it runs (default: build/vecsum).")
  private Path out;

  @Override
  public Integer call() throws IOException {
    VecsumExperiment.Plan plan = plan();
    Results.Builder results =
        Commands.results(
            spec, "A file in the DataNode's cache, summed: TCP, short circuit and zero-copy");
    Commands.runOnHdfs(
        out,
        "vecsum",
        plan.bytes(),
        results,
        (testbed, console) -> new VecsumExperiment(plan, console, results).run(testbed));
    return 0;
  }

  private VecsumExperiment.Plan plan() {
    Commands.atLeast(spec, "--size", 1, size);
    Commands.atLeast(spec, "--block", 1, block);
    Commands.atLeast(spec, "--chunk", 1, chunk);
    Commands.atLeast(spec, "--rounds", 1, rounds);
    Commands.atLeast(spec, "--warm-ups", 0, warmUps);
    Commands.atLeast(spec, "--passes", 1, passes);
    return Commands.accepted(
        spec,
        () ->
            new VecsumExperiment.Plan(
                modes,
                rounds,
                warmUps,
                passes,
                (long) size << 20,
                (long) block << 20,
                chunk << 10));
  }
}
