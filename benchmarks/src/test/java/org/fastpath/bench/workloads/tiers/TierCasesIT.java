package org.fastpath.bench.workloads.tiers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.WorkDirectory;
import org.fastpath.bench.engine.results.Environment;
import org.fastpath.bench.engine.results.Results;
import org.fastpath.cluster.DaemonOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs the case with files of two sizes on two tiers, on both variants, with very little data. */
class TierCasesIT {
  private static final Map<String, String> PARAMS = Map.of("case", "1T_SSD_HDD");

  @TempDir private Path directory;

  private final Results.Builder collected =
      Results.builder("test", Environment.here("a command", Map.of()));

  @Test
  void loadsAndSaysWhereFilesAreAndWhatWasTheLimit() throws IOException {
    TierCases cases = new TierCases();
    cases.process = DaemonOptions::quickStart;
    new CommandLine(cases)
        .parseArgs(
            ("--cases 1T_SSD_HDD --sides stock-capacity,ours --rounds 1 --factor 64 --pages"
                    + " --warm-up 0 --seconds 3 --threads 4 --batch 10")
                .split(" "));
    try (WorkDirectory work = new WorkDirectory(directory)) {
      cases.run(new Run(work, Console.silent(), collected));
    }
    Results results = collected.build();

    assertThat(results.candidate()).isEqualTo("ours");
    for (String variant : List.of("stock-capacity", "ours")) {
      assertThat(value(results, "load.throughput", variant)).isPositive();
      assertThat(value(results, "load.latency.p999", variant))
          .isGreaterThanOrEqualTo(value(results, "load.latency.p50", variant));
      assertThat(value(results, "load.device.busiest", variant)).isPositive();
      assertThat(value(results, "load.written.ssd", variant)).isPositive();
      assertThat(value(results, "misplaced.wal", variant)).isZero();
      assertThat(value(results, "misplaced.store", variant)).isZero();
      assertThat(
              value(results, "load.limit.CPU", variant)
                  + value(results, "load.limit.device", variant)
                  + value(results, "load.limit.waiting", variant))
          .isEqualTo(1);
    }
    // Large files need more data than this. With rules, no file is on the disks.
    assertThat(results.find("tiers.pages.placed.store.hdd", "ours")).isEmpty();
    assertThat(value(results, "placed.store.ssd", "ours")).isPositive();
    assertThat(value(results, "placed.store.hdd", "stock-capacity")).isPositive();
    assertThat(results.find("tiers.pages.placed.store.ssd", "stock-capacity")).isEmpty();
    assertThat(value(results, "load.throughput", "story")).isPositive();
    assertThat(results.series()).anyMatch(line -> line.name().contains("utilization of devices"));
  }

  private static double value(Results results, String name, String variant) {
    return results.find("tiers.pages." + name, variant, PARAMS).orElseThrow().median();
  }
}
