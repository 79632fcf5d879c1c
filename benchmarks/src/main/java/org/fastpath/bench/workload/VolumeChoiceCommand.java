package org.fastpath.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.tiered.PolicySide;
import org.fastpath.bench.tiered.VolumeChoiceExperiment;
import org.fastpath.bench.tiered.VolumeScenario;
import org.fastpath.cluster.VolumeSpeed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@link VolumeChoiceExperiment}. */
@Command(
    name = "volume-choice",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Writes to a DataNode of eight volumes whose speed is a model: four with half of the bandwidth, or one that"
            + " fails slowly. Aggregate throughput, times of writes, bytes per volume.")
final class VolumeChoiceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--scenarios",
      paramLabel = "NAME",
      split = ",",
      description = "healthy, half, slow-10, slow-100, stuck (default: all).")
  private List<String> scenarios =
      Arrays.stream(VolumeScenario.values()).map(VolumeScenario::label).toList();

  @Option(
      names = "--sides",
      paramLabel = "NAME",
      split = ",",
      description =
          "round-robin and available-space of HDFS, per-type and latency-aware of ours; the last one is compared with"
              + " the others (default: all).")
  private List<String> sides = PolicySide.ALL.stream().map(PolicySide::label).toList();

  @Option(
      names = "--bandwidth",
      paramLabel = "MB/S",
      description =
          "Of a healthy volume; eight of them must be less than the machine can write (default: ${DEFAULT-VALUE}).")
  private int bandwidth = 8;

  @Option(
      names = "--file",
      paramLabel = "KB",
      description = "Size of a file, which is one block (default: ${DEFAULT-VALUE}).")
  private int file = 1024;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Writing threads (default: ${DEFAULT-VALUE}).")
  private int threads = 24;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each policy is measured (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      description = "How long a scenario lasts before it is measured (default: ${DEFAULT-VALUE}).")
  private int warmUp = 10;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long it is measured (default: ${DEFAULT-VALUE}).")
  private int seconds = 20;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where results go, and the cluster while it runs (default: build/volume-choice).")
  private Path out;

  @Override
  public Integer call() throws IOException {
    VolumeChoiceExperiment.Plan plan = plan();
    Results.Builder results = Commands.results(spec, "Choice of volumes that are not alike");
    Commands.runOnVolumes(
        out,
        "volume-choice",
        VolumeChoiceExperiment.volumes(),
        VolumeSpeed.bytesPerSecond((double) bandwidth * (1 << 20)),
        plan.fileBytes(),
        results,
        (testbed, console) -> new VolumeChoiceExperiment(plan, console, results).run(testbed));
    return 0;
  }

  private VolumeChoiceExperiment.Plan plan() {
    Commands.atLeast(spec, "--bandwidth", 1, bandwidth);
    Commands.atLeast(spec, "--file", 4, file);
    Commands.atLeast(spec, "--threads", 1, threads);
    Commands.atLeast(spec, "--rounds", 1, rounds);
    Commands.atLeast(spec, "--warm-up", 0, warmUp);
    Commands.atLeast(spec, "--seconds", 1, seconds);
    return new VolumeChoiceExperiment.Plan(
        Commands.chosen(spec, sides, PolicySide::of),
        Commands.chosen(spec, scenarios, VolumeScenario::of),
        rounds,
        threads,
        warmUp,
        seconds,
        file << 10);
  }
}
