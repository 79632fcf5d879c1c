package org.fastpath.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.tiered.PolicySide;
import org.fastpath.bench.tiered.VolumeBalanceExperiment;
import org.fastpath.cluster.VolumeSpeed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@link VolumeBalanceExperiment}. */
@Command(
    name = "volume-balance",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Writes files of two storage types in turn to a DataNode of two SSDs and six disks. "
            + "Measures how even the volumes of a type are. Sides: round-robin of HDFS before and "
            + "after HDFS-9608, and its available-space; per-type and latency-aware, ours.")
final class VolumeBalanceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--files",
      paramLabel = "N",
      description = "Of each type (default: ${DEFAULT-VALUE}).")
  private int files = 2_000;

  @Option(
      names = "--file",
      paramLabel = "KB",
      description = "Size of a block; half of the files are shorter (default: ${DEFAULT-VALUE}).")
  private int file = 64;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Writing threads (default: ${DEFAULT-VALUE}).")
  private int threads = 8;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each policy is measured (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where results go, and the cluster while it runs (default: build/volume-balance).")
  private Path out;

  @Override
  public Integer call() throws IOException {
    VolumeBalanceExperiment.Plan plan = plan();
    Results.Builder results = Commands.results(spec, "Volumes of two storage types");
    Commands.runOnVolumes(
        out,
        "volume-balance",
        VolumeBalanceExperiment.volumes(),
        VolumeSpeed.unlimited(),
        plan.fileBytes(),
        results,
        (testbed, console) -> new VolumeBalanceExperiment(plan, console, results).run(testbed));
    return 0;
  }

  private VolumeBalanceExperiment.Plan plan() {
    Commands.atLeast(spec, "--files", 1, files);
    Commands.atLeast(spec, "--file", 4, file);
    Commands.atLeast(spec, "--threads", 1, threads);
    Commands.atLeast(spec, "--rounds", 1, rounds);
    List<PolicySide> sides =
        Stream.concat(Stream.of(PolicySide.SHARED_COUNTER), PolicySide.ALL.stream()).toList();
    return new VolumeBalanceExperiment.Plan(sides, rounds, threads, files, file << 10);
  }
}
