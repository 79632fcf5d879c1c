package org.fastpath.bench.workloads.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.WorkDirectory;
import org.fastpath.bench.engine.results.Environment;
import org.fastpath.bench.engine.results.Measurement;
import org.fastpath.bench.engine.results.Results;
import org.fastpath.cluster.DaemonOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs the experiments on HDFS with very little data, one after the other on one cluster. */
class HdfsWorkloadsIT {
  private static final int MEGABYTE = 1 << 20;
  private static final List<String> MODES = List.of("tcp", "short-circuit", "zero-copy");

  @TempDir private static Path directory;

  private final Results.Builder collected =
      Results.builder("test", Environment.here("a command", Map.of()));

  private Results run(CachedFileExperiment experiment, String options) throws IOException {
    experiment.process = DaemonOptions::quickStart;
    new CommandLine(experiment).parseArgs(options.split(" "));
    try (WorkDirectory work = new WorkDirectory(directory.resolve("c"))) {
      Run run = new Run(work, Console.silent(), collected);
      if (experiment instanceof Vecsum vecsum) {
        vecsum.run(run);
      } else {
        ((Preads) experiment).run(run);
      }
      work.deleteCluster();
    }
    return collected.build();
  }

  @Test
  void sumsInTheModesThatHaveLittleInCommon() throws IOException {
    Results results =
        run(
            new Vecsum(),
            "--modes tcp,short-circuit,zero-copy --rounds 1 --warm-ups 0 --passes 2 --size 3 --block 1 --chunk 256");

    assertThat(results.candidate()).isEqualTo("zero-copy");
    for (SumLoop loop : SumLoop.values()) {
      Map<String, String> params = Map.of("loop", loop.label, "size", "3145728");
      for (String mode : MODES) {
        Measurement rate = results.find("vecsum.rate", mode, params).orElseThrow();
        assertThat(rate.better()).isEqualTo(Measurement.Better.HIGHER);
        assertThat(rate.rounds()).hasSize(1);
        assertThat(rate.rounds().get(0)).hasSize(2).allMatch(value -> value > 0);
        Measurement cpu = results.find("vecsum.cpu", mode, params).orElseThrow();
        assertThat(cpu.better()).isEqualTo(Measurement.Better.LOWER);
        // So little work may end between two ticks of the CPU clock.
        assertThat(cpu.median()).isNotNegative();
        assertThat(results.find("vecsum.cpu.datanode", mode, params).isPresent())
            .isEqualTo(mode.startsWith("tcp"));
      }
    }
  }

  @Test
  void readsByPosition() throws IOException {
    Results results =
        run(
            new Preads(),
            "--rounds 1 --threads 1,2 --warm-up 0 --seconds 1 --size 2 --block 1 --read 64");

    for (String threads : List.of("1", "2")) {
      for (String variant : List.of("hbase-defaults", "stock-best", "memory")) {
        Map<String, String> params = Map.of("threads", threads);
        assertThat(results.find("preads.time", variant, params).orElseThrow().median())
            .isPositive();
        assertThat(results.find("preads.rate", variant, params).orElseThrow().better())
            .isEqualTo(Measurement.Better.HIGHER);
      }
    }
    assertThat(results.candidate()).isEqualTo("ours");
  }
}
