package org.fastpath.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.fastpath.bench.results.Results;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@link MetricsExperiment}. */
@Command(
    name = "metrics",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "CPU time of the RegionServer in gets and scans from the block cache. Sides: off, without; on, with counts"
            + " and latencies per region; control, without once more.")
final class MetricsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each side runs (default: ${DEFAULT-VALUE}).")
  private int rounds = 6;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "How long each side and kind of reads is measured in a round (default: ${DEFAULT-VALUE}).")
  private int seconds = 15;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      description =
          "How long each kind of reads warms a new RegionServer up (default: ${DEFAULT-VALUE}).")
  private int warmUp = 60;

  @Option(
      names = "--by-process",
      description =
          "A RegionServer of its own for each side, started anew in each round, instead of tables of one"
              + " RegionServer that differ in their attributes.")
  private boolean byProcess;

  @Option(
      names = "--slice",
      paramLabel = "MILLIS",
      description = "How long sides take turns (default: ${DEFAULT-VALUE}).")
  private int sliceMillis = 100;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads that get rows; one scans (default: ${DEFAULT-VALUE}).")
  private int threads = 2;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Rows of a table (default: ${DEFAULT-VALUE}).")
  private int rows = 20_000;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      description = "Bytes of each value (default: ${DEFAULT-VALUE}).")
  private int valueBytes = 100;

  @Option(
      names = "--reads",
      paramLabel = "KIND",
      split = ",",
      description = "Kinds of reads (default: get,scan,scan-next).")
  private List<String> reads = Arrays.stream(Reads.values()).map(Reads::label).toList();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go, and the cluster while it runs (default: build/metrics).")
  private Path out;

  @Override
  public Integer call() throws IOException {
    MetricsExperiment.Plan plan = plan();
    Results.Builder results =
        Commands.results(
                spec, "Reads from the block cache: CPU time with and without latencies per region")
            .candidate(MetricsExperiment.OBSERVED);
    Commands.measure(
        out,
        "metrics",
        results,
        (directory, console) -> new MetricsExperiment(plan, console, directory, results).run());
    return 0;
  }

  private MetricsExperiment.Plan plan() {
    atLeast("--rounds", 1, rounds);
    atLeast("--seconds", 1, seconds);
    atLeast("--warm-up", 0, warmUp);
    atLeast("--slice", 20, sliceMillis);
    atLeast("--threads", 1, threads);
    atLeast("--rows", 1000, rows);
    atLeast("--value-bytes", 1, valueBytes);
    return new MetricsExperiment.Plan(
        byProcess,
        rounds,
        seconds,
        warmUp,
        Duration.ofMillis(sliceMillis),
        threads,
        new DataTable.Shape(rows, valueBytes, 1),
        chosenReads());
  }

  private List<Reads> chosenReads() {
    return Commands.chosen(
        spec, reads, label -> Commands.reads(label, List.of(Reads.values()), Reads::label));
  }

  private void atLeast(String option, int least, int value) {
    Commands.atLeast(spec, option, least, value);
  }
}
