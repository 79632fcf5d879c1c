package org.fastpath.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.fastpath.bench.results.Results;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@link ReaderLiveExperiment}. */
@Command(
    name = "reader-live",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Gets, multi-gets and scans by many clients of tables in our block cache. Measures "
            + "rows per second, CPU time and allocation of the RegionServer per row, and "
            + "latencies. Sides: stock, a table that HBase reads; ours, one that the off-heap "
            + "reader reads.")
final class ReaderLiveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each side runs (default: ${DEFAULT-VALUE}).")
  private int rounds = 4;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "How long each side is measured in a round with each kind of reads and number of threads"
              + " (default: ${DEFAULT-VALUE}).")
  private int seconds = 6;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      description =
          "How long each kind of reads warms the RegionServer up (default: ${DEFAULT-VALUE}).")
  private int warmUp = 40;

  @Option(
      names = "--slice",
      paramLabel = "MILLIS",
      description = "How long sides take turns (default: ${DEFAULT-VALUE}).")
  private int sliceMillis = 1000;

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      description = "Client threads (default: 5,25,50,75).")
  private List<Integer> threads = List.of(5, 25, 50, 75);

  @Option(
      names = "--reads",
      paramLabel = "KIND",
      split = ",",
      description = "Kinds of reads (default: get,multi-get,scan,scan-filter-90,scan-filter-all).")
  private List<String> reads = Arrays.stream(ReaderLoad.values()).map(ReaderLoad::label).toList();

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      split = ",",
      description = "Bytes of each value, with two tables for each size (default: 100,1000).")
  private List<Integer> valueBytes = List.of(100, 1000);

  @Option(
      names = "--table",
      paramLabel = "MB",
      description = "Size of a table (default: ${DEFAULT-VALUE}).")
  private int table = 128;

  @Option(
      names = "--heap",
      paramLabel = "MB",
      description = "Heap of the RegionServer (default: ${DEFAULT-VALUE}).")
  private int heap = 2048;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Rows of a multi-get (default: ${DEFAULT-VALUE}).")
  private int batch = 100;

  @Option(
      names = "--scan-rows",
      paramLabel = "N",
      description = "Rows of a scan (default: ${DEFAULT-VALUE}).")
  private int scanRows = 10_000;

  @Option(names = "--no-profile", description = "No flame graphs, but a shorter run.")
  private boolean noProfile;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go, and the cluster while it runs (default: build/reader-live).")
  private Path out;

  @Override
  public Integer call() throws IOException {
    ReaderLiveExperiment.Plan plan = plan();
    Results.Builder results =
        Commands.results(spec, "Reads of cached tables: HBase's reader and the off-heap reader")
            .candidate(ReaderLiveExperiment.CANDIDATE);
    Commands.measure(
        out,
        "reader-live",
        results,
        (directory, console) -> new ReaderLiveExperiment(plan, console, directory, results).run());
    return 0;
  }

  private ReaderLiveExperiment.Plan plan() {
    atLeast("--rounds", 1, rounds);
    atLeast("--seconds", 1, seconds);
    atLeast("--warm-up", 0, warmUp);
    atLeast("--slice", 100, sliceMillis);
    threads.forEach(number -> atLeast("--threads", 1, number));
    valueBytes.forEach(size -> atLeast("--value-bytes", 1, size));
    atLeast("--table", 1, table);
    atLeast("--heap", 256, heap);
    atLeast("--batch", 1, batch);
    atLeast("--scan-rows", 1, scanRows);
    ReaderLiveExperiment.Plan plan =
        new ReaderLiveExperiment.Plan(
            rounds,
            seconds,
            warmUp,
            sliceMillis,
            threads,
            valueBytes,
            table,
            heap,
            batch,
            scanRows,
            Commands.chosen(spec, reads, ReaderLoad::of),
            !noProfile);
    valueBytes.forEach(size -> atLeast("--table in rows", scanRows, plan.shape(size).rows()));
    return plan;
  }

  private void atLeast(String option, int least, int value) {
    Commands.atLeast(spec, option, least, value);
  }
}
