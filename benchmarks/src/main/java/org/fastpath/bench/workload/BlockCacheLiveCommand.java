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

/** Runs {@link BlockCacheLiveExperiment}. */
@Command(
    name = "block-cache-live",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Reads by many clients through an off-heap block cache that is smaller than the "
            + "table. Measures hit ratio, rows per second, CPU time and garbage collection of the "
            + "RegionServer. Sides: bucket-cache; ours.")
final class BlockCacheLiveCommand implements Callable<Integer> {
  /** A table is that many times as large as the cache. */
  private static final int TIMES = 2;

  /**
   * BucketCache wants 2 MB for each of its fourteen sizes of blocks, and has little left of less.
   */
  private static final int LEAST_CACHE = 64;

  @Spec private CommandSpec spec;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each side runs (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "How long each kind of reads is measured with each number of threads in a round"
              + " (default: ${DEFAULT-VALUE}).")
  private int seconds = 20;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      description =
          "Warm-up of each kind of reads; up to three times as long until the hit ratio is "
              + "steady (default: ${DEFAULT-VALUE}).")
  private int warmUp = 30;

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
      description = "Kinds of reads (default: multi-get,scan).")
  private List<String> reads = Arrays.stream(LoadKind.values()).map(LoadKind::label).toList();

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      description = "Bytes of each value (default: ${DEFAULT-VALUE}).")
  private int valueBytes = 1000;

  @Option(
      names = "--cache",
      paramLabel = "MB",
      description = "Size of the cache (default: ${DEFAULT-VALUE}).")
  private int cache = 1024;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Rows of the table (default: as many as fill the cache twice).")
  private Integer rows;

  @Option(
      names = "--heap",
      paramLabel = "MB",
      description = "Heap of the RegionServer (default: ${DEFAULT-VALUE}).")
  private int heap = 1024;

  @Option(
      names = "--zipf",
      paramLabel = "EXPONENT",
      description = "How uneven the choice of rows is; 0 is even (default: ${DEFAULT-VALUE}).")
  private double zipf = 0.99;

  @Option(
      names = "--scan",
      paramLabel = "PERCENT",
      description =
          "Share of a repeated scan of the whole table in all look-ups (default: "
              + "${DEFAULT-VALUE}).")
  private int scan = 5;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Rows of a multi-get (default: ${DEFAULT-VALUE}).")
  private int batch = 50;

  @Option(
      names = "--scan-rows",
      paramLabel = "N",
      description = "Rows of a scan, all of which a filter drops (default: ${DEFAULT-VALUE}).")
  private int scanRows = 1000;

  @Option(
      names = "--huge-pages",
      description =
          "Also both caches in huge pages, as bucket-cache-huge and ours-huge: with GLIBC_TUNABLES in the"
              + " RegionServer's environment.")
  private boolean hugePages;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where results go, and the cluster while it runs (default: build/block-cache-live).")
  private Path out;

  @Override
  public Integer call() throws IOException {
    BlockCacheLiveExperiment.Plan plan = plan();
    Results.Builder results =
        Commands.results(spec, "Reads through a block cache off the heap: HBase's and ours")
            .candidate(BlockCacheLiveExperiment.CANDIDATE);
    Commands.measure(
        out,
        "block-cache-live",
        results,
        (directory, console) ->
            new BlockCacheLiveExperiment(plan, console, directory, results).run());
    return 0;
  }

  private BlockCacheLiveExperiment.Plan plan() {
    atLeast("--rounds", 1, rounds);
    atLeast("--seconds", 2, seconds);
    atLeast("--warm-up", 1, warmUp);
    threads.forEach(number -> atLeast("--threads", 1, number));
    atLeast("--value-bytes", 1, valueBytes);
    atLeast("--cache", LEAST_CACHE, cache);
    atLeast("--heap", 256, heap);
    atLeast("--batch", 1, batch);
    atLeast("--scan-rows", 1, scanRows);
    int chosenRows =
        rows == null ? DataTable.Shape.ofMegabytes(TIMES * cache, valueBytes).rows() : rows;
    atLeast("--rows", scanRows, chosenRows);
    if (scan < 0 || scan > 90) {
      throw Commands.refusal(spec, "--scan is " + scan + ": 0 to 90 is possible");
    }
    if (!(zipf >= 0 && zipf <= 5)) {
      throw Commands.refusal(spec, "--zipf is " + zipf + ": 0 to 5 is possible");
    }
    return new BlockCacheLiveExperiment.Plan(
        rounds,
        seconds,
        warmUp,
        threads,
        chosenRows,
        valueBytes,
        cache,
        heap,
        zipf,
        scan,
        batch,
        scanRows,
        chosenReads(),
        hugePages);
  }

  private List<LoadKind> chosenReads() {
    return Commands.chosen(
        spec, reads, label -> Commands.reads(label, List.of(LoadKind.values()), LoadKind::label));
  }

  private void atLeast(String option, int least, int value) {
    Commands.atLeast(spec, option, least, value);
  }
}
