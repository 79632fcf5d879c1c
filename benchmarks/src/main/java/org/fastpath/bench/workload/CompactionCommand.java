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

/** Runs {@link CompactionExperiment}. */
@Command(
    name = "compaction",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "CPU time of the RegionServer in major compactions of 10 KB values (HBASE-11927). Sides: A, no libhadoop in"
            + " HBase nor in HDFS; B, in HDFS only; C, in both; D, our jars in both.")
final class CompactionCommand implements Callable<Integer> {
  private static final String CANDIDATE = "D";

  @Spec private CommandSpec spec;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each side runs (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Rows of the table (default: ${DEFAULT-VALUE}).")
  private int rows = 50_000;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      description = "Bytes of each value (default: ${DEFAULT-VALUE}).")
  private int valueBytes = 10_000;

  @Option(
      names = "--files",
      paramLabel = "N",
      description = "Store files that a compaction merges (default: ${DEFAULT-VALUE}).")
  private int files = 4;

  @Option(
      names = "--warmups",
      paramLabel = "N",
      description =
          "Compactions of a new RegionServer that are not counted (default: ${DEFAULT-VALUE}).")
  private int warmups = 6;

  @Option(
      names = "--samples",
      paramLabel = "N",
      description = "Compactions per run that are counted (default: ${DEFAULT-VALUE}).")
  private int samples = 2;

  @Option(
      names = "--checksum",
      paramLabel = "ALGORITHM",
      description = "HBase's checksums: CRC32C or CRC32 (default: ${DEFAULT-VALUE}).")
  private String checksum = "CRC32C";

  @Option(
      names = "--sides",
      paramLabel = "SIDE",
      split = ",",
      description = "Which sides run (default: A,B,C,D).")
  private List<String> sides = List.of("A", "B", "C", "D");

  @Option(
      names = "--no-profile",
      description = "No flame graphs and no share of checksums, but a shorter run.")
  private boolean noProfile;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go, and the cluster while it runs (default: build/compaction).")
  private Path out;

  @Override
  public Integer call() throws IOException {
    CompactionExperiment.Plan plan = plan();
    Results.Builder results = results();
    Commands.measure(
        out,
        "compaction",
        results,
        (directory, console) -> new CompactionExperiment(plan, console, directory, results).run());
    return 0;
  }

  private Results.Builder results() {
    return Commands.results(spec, "Major compaction: CPU time with checksums computed in four ways")
        .candidate(CANDIDATE);
  }

  private CompactionExperiment.Plan plan() {
    atLeast("--rounds", 1, rounds);
    atLeast("--value-bytes", 1, valueBytes);
    atLeast("--files", 2, files);
    atLeast("--rows", files, rows);
    atLeast("--warmups", 0, warmups);
    atLeast("--samples", 1, samples);
    if (!List.of("CRC32", "CRC32C").contains(checksum)) {
      throw Commands.refusal(spec, "--checksum is " + checksum + ": CRC32C and CRC32 are possible");
    }
    return new CompactionExperiment.Plan(
        Commands.chosen(spec, sides, CompactionCommand::side),
        rounds,
        warmups,
        samples,
        new DataTable.Shape(rows, valueBytes, files),
        checksum,
        !noProfile);
  }

  private static Side side(String id) {
    return Side.STORY.stream()
        .filter(side -> side.id().equals(id))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("there is no side " + id + ": A, B, C and D are"));
  }

  private void atLeast(String option, int least, int value) {
    Commands.atLeast(spec, option, least, value);
  }
}
