package org.fastpath.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.fastpath.bench.results.Results;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@link HdfsCacheShiftExperiment}. */
@Command(
    name = "hdfs-cache-shift",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Multi-gets while the hot table changes, is compacted, and while other tables are "
            + "scanned. Measures latencies, rows per second and hits. Sides, with equal memory: "
            + "bucket-cache; ours, mapped blocks of the files that are read most.")
final class HdfsCacheShiftCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each side runs (default: ${DEFAULT-VALUE}).")
  private int rounds = 2;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long each phase of a turn takes (default: ${DEFAULT-VALUE}).")
  private int seconds = 40;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Client threads (default: ${DEFAULT-VALUE}).")
  private int threads = 5;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      description = "Bytes of each value (default: ${DEFAULT-VALUE}).")
  private int valueBytes = 1000;

  @Option(
      names = "--tables",
      paramLabel = "N",
      description = "Tables, of which one at a time is hot (default: ${DEFAULT-VALUE}).")
  private int tables = 5;

  @Option(
      names = "--table",
      paramLabel = "MB",
      description = "Size of each (default: ${DEFAULT-VALUE}).")
  private int table = 128;

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
      names = "--interval",
      paramLabel = "SECONDS",
      description = "How often ours looks at what is read (default: ${DEFAULT-VALUE}).")
  private int interval = 2;

  @Option(
      names = "--half-life",
      paramLabel = "SECONDS",
      description = "After which it has forgotten half of that (default: ${DEFAULT-VALUE}).")
  private int halfLife = 20;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where results go, and the cluster while it runs (default: build/hdfs-cache-shift).")
  private Path out;

  @Override
  public Integer call() throws IOException {
    HdfsCacheShiftExperiment.Plan plan = plan();
    Results.Builder results =
        Commands.results(
                spec,
                "Reads while the hot table changes: HBase's BucketCache and pinned store files")
            .candidate(HdfsCacheShiftExperiment.CANDIDATE);
    Commands.measure(
        out,
        "hdfs-cache-shift",
        results,
        (directory, console) ->
            new HdfsCacheShiftExperiment(plan, console, directory, results).run());
    return 0;
  }

  private HdfsCacheShiftExperiment.Plan plan() {
    atLeast("--rounds", 1, rounds);
    atLeast("--seconds", 4, seconds);
    atLeast("--threads", 1, threads);
    atLeast("--value-bytes", 1, valueBytes);
    atLeast("--tables", 4, tables);
    atLeast("--table", 32, table);
    atLeast("--heap", 256, heap);
    atLeast("--batch", 1, batch);
    atLeast("--interval", 1, interval);
    atLeast("--half-life", 1, halfLife);
    return new HdfsCacheShiftExperiment.Plan(
        rounds, seconds, threads, valueBytes, tables, table, heap, batch, interval, halfLife);
  }

  private void atLeast(String option, int least, int value) {
    Commands.atLeast(spec, option, least, value);
  }
}
