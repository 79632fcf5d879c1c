package org.fastpath.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.fastpath.bench.results.Results;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@link HdfsCacheLiveExperiment}. */
@Command(
    name = "hdfs-cache-live",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Reads a table in the DataNode's locked memory after a restart, and when warm. "
            + "Measures latencies, rows per second and CPU time of the RegionServer. Sides: "
            + "bucket-cache, with room for the table; ours, mapped blocks alone; ours-warmed, the "
            + "same with the read warm-up.")
final class HdfsCacheLiveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each side runs (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--first",
      paramLabel = "SECONDS",
      description =
          "How long reads are measured from the start of the RegionServer on (default:"
              + " ${DEFAULT-VALUE}).")
  private int first = 60;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      description = "How long they go on before they are warm (default: ${DEFAULT-VALUE}).")
  private int warmUp = 30;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long they are measured then (default: ${DEFAULT-VALUE}).")
  private int seconds = 20;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Client threads (default: ${DEFAULT-VALUE}).")
  private int threads = 5;

  @Option(
      names = "--reads",
      paramLabel = "KIND",
      split = ",",
      description =
          "Kinds of reads, each after a restart of its own: get, multi-get, scan, scan-filter-90, scan-filter-all"
              + " (default: multi-get,scan-filter-all).")
  private List<String> reads = List.of(ReaderLoad.MULTI_GET.label(), ReaderLoad.FILTER_ALL.label());

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      description = "Bytes of each value (default: ${DEFAULT-VALUE}).")
  private int valueBytes = 1000;

  @Option(
      names = "--table",
      paramLabel = "MB",
      description = "Size of the table (default: ${DEFAULT-VALUE}).")
  private int table = 512;

  @Option(
      names = "--heap",
      paramLabel = "MB",
      description = "Heap of the RegionServer (default: ${DEFAULT-VALUE}).")
  private int heap = 1024;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Rows of a multi-get (default: ${DEFAULT-VALUE}).")
  private int batch = 50;

  @Option(
      names = "--scan-rows",
      paramLabel = "N",
      description = "Rows of a scan (default: ${DEFAULT-VALUE}).")
  private int scanRows = 1000;

  @Option(
      names = "--rate",
      paramLabel = "ROWS/S",
      description =
          "Rows to read per second, so that the JIT compiler has cores left; 0 for no limit "
              + "(default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where results go, and the cluster while it runs (default: build/hdfs-cache-live).")
  private Path out;

  @Override
  public Integer call() throws IOException {
    HdfsCacheLiveExperiment.Plan plan = plan();
    Results.Builder results =
        Commands.results(
                spec,
                "Reads of a table in the DataNode's memory: HBase's BucketCache and mapped blocks")
            .candidate(HdfsCacheLiveExperiment.CANDIDATE);
    Commands.measure(
        out,
        "hdfs-cache-live",
        results,
        (directory, console) ->
            new HdfsCacheLiveExperiment(plan, console, directory, results).run());
    return 0;
  }

  private HdfsCacheLiveExperiment.Plan plan() {
    atLeast("--rounds", 1, rounds);
    atLeast("--first", 1, first);
    atLeast("--warm-up", 1, warmUp);
    atLeast("--seconds", 1, seconds);
    atLeast("--threads", 1, threads);
    atLeast("--value-bytes", 1, valueBytes);
    atLeast("--table", 64, table);
    atLeast("--heap", 256, heap);
    atLeast("--batch", 1, batch);
    atLeast("--scan-rows", 1, scanRows);
    atLeast("--rate", 0, rate);
    HdfsCacheLiveExperiment.Plan plan =
        new HdfsCacheLiveExperiment.Plan(
            rounds,
            first,
            warmUp,
            seconds,
            threads,
            valueBytes,
            table,
            heap,
            batch,
            scanRows,
            rate,
            Commands.chosen(spec, reads, ReaderLoad::of));
    atLeast("--table in rows", scanRows, plan.shape().rows());
    return plan;
  }

  private void atLeast(String option, int least, int value) {
    Commands.atLeast(spec, option, least, value);
  }
}
