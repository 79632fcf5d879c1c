package org.fastpath.bench.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fastpath.bench.results.Environment;
import org.fastpath.bench.results.Measurement;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.workload.Console;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiments on HDFS with next to no data, one after the other on one cluster. */
class HdfsWorkloadsIT {
  private static final int MEGABYTE = 1 << 20;
  private static final List<String> MODES = List.of("tcp", "short-circuit", "zero-copy");

  @TempDir private static Path directory;
  private static HdfsTestbed testbed;

  private final Console console = Console.silent();
  private final Results.Builder collected =
      Results.builder("test", Environment.here("a command", Map.of()));

  @BeforeAll
  static void start() throws IOException {
    testbed = HdfsTestbed.startQuickly(directory.resolve("c"), 16 * MEGABYTE);
  }

  @AfterAll
  static void stop() throws IOException {
    testbed.close();
  }

  @Test
  void sumsInTheModesThatHaveLittleInCommon() throws IOException {
    VecsumExperiment.Plan plan =
        new VecsumExperiment.Plan(MODES, 1, 0, 2, 3 * MEGABYTE, MEGABYTE, MEGABYTE / 4);
    new VecsumExperiment(plan, console, collected).run(testbed);
    Results results = collected.build();

    assertThat(results.candidate()).isEqualTo("zero-copy");
    for (SumLoop loop : SumLoop.values()) {
      Map<String, String> params = Map.of("loop", loop.label(), "size", "3145728");
      for (String mode : MODES) {
        Measurement rate = results.find("vecsum.rate", mode, params).orElseThrow();
        assertThat(rate.better()).isEqualTo(Measurement.Better.HIGHER);
        assertThat(rate.rounds()).hasSize(1);
        assertThat(rate.rounds().get(0)).hasSize(2).allMatch(value -> value > 0);
        Measurement cpu = results.find("vecsum.cpu", mode, params).orElseThrow();
        assertThat(cpu.better()).isEqualTo(Measurement.Better.LOWER);
        // So little work may end between two ticks of the clock of CPU time.
        assertThat(cpu.median()).isNotNegative();
        assertThat(results.find("vecsum.cpu.datanode", mode, params).isPresent())
            .isEqualTo(mode.startsWith("tcp"));
      }
    }
  }

  @Test
  void countsInMapReduceJobs() throws IOException {
    List<String> modes = List.of("tcp", "zero-copy");
    BytecountExperiment.Plan plan =
        new BytecountExperiment.Plan(
            modes, 1, BytecountExperiment.jobs(), 0, 1, 2, 3 * MEGABYTE, 2 * MEGABYTE);
    new BytecountExperiment(plan, console, collected).run(testbed);
    Results results = collected.build();

    for (TextJob job : TextJob.values()) {
      Map<String, String> params = Map.of("job", job.label());
      assertThat(results.find("mapreduce.time", "tcp", params).orElseThrow().median()).isPositive();
      assertThat(results.find("mapreduce.time", "zero-copy", params).isPresent())
          .isEqualTo(job == TextJob.BYTECOUNT);
    }
  }

  @Test
  void readsByPosition() throws IOException {
    PreadsExperiment.Plan plan =
        new PreadsExperiment.Plan(1, List.of(1, 2), 0, 100, 2 * MEGABYTE, MEGABYTE, 64 << 10);
    new PreadsExperiment(plan, console, collected).run(testbed);
    Results results = collected.build();

    for (String threads : List.of("1", "2")) {
      for (String side : List.of("hbase-defaults", "stock-best", "memory")) {
        Map<String, String> params = Map.of("threads", threads);
        assertThat(results.find("preads.time", side, params).orElseThrow().median()).isPositive();
        assertThat(results.find("preads.rate", side, params).orElseThrow().better())
            .isEqualTo(Measurement.Better.HIGHER);
      }
    }
    assertThat(results.candidate()).isEqualTo("ours");
  }
}
