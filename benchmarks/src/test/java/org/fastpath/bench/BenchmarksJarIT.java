package org.fastpath.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fastpath.bench.results.Measurement;
import org.fastpath.bench.results.Results;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jar as people start it: worlds, forks, results and page, with iterations too short to mean
 * anything.
 */
class BenchmarksJarIT {
  private static final String JAR = System.getProperty("benchmarks.jar");

  @TempDir Path directory;

  private record Run(int exit, String printed) {}

  private Run run(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Another JMH on this machine spoils figures, which do not matter here.
    command.addAll(List.of("-Djmh.ignoreLock=true", "-jar", JAR));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), printed);
  }

  @Test
  void oneBenchmarkInStockAndOurWorlds() throws IOException, InterruptedException {
    Run run =
        run(
            "DataChecksumBenchmark.verify",
            "--quick",
            "--param",
            "size=4096",
            "--rounds",
            "2",
            "--world",
            "stock-native,stock-java,ours-auto,ours-nolib",
            "--warmups",
            "1",
            "--iterations",
            "2",
            "--millis",
            "10",
            "--out",
            "out/results.json",
            "--report",
            "out/report.html");

    assertThat(run.exit()).as(run.printed()).isZero();
    Results results = Results.read(directory.resolve("out/results.json"));
    assertThat(results.measurements())
        .filteredOn(measurement -> measurement.unit().equals("ns/op"))
        .hasSize(4)
        .allSatisfy(BenchmarksJarIT::isComplete);
    assertThat(results.measurements())
        .filteredOn(measurement -> measurement.unit().equals("B/op"))
        .extracting(Measurement::side)
        .containsExactlyInAnyOrder("stock-native", "stock-java", "ours-auto", "ours-nolib");
    assertThat(results.environment().command()).contains("--param size=4096");
    assertThat(directory.resolve("out/report.html")).content().contains("ours-auto", "GB/s");
    assertThat(directory.resolve("out/results.json.log")).isNotEmptyFile();
  }

  private static void isComplete(Measurement measurement) {
    assertThat(measurement.name()).isEqualTo("checksum.DataChecksumBenchmark.verify");
    assertThat(measurement.params()).containsEntry("size", "4096");
    assertThat(measurement.rounds()).hasSize(2).allSatisfy(round -> assertThat(round).hasSize(2));
    assertThat(measurement.min()).isPositive();
  }

  @Test
  void blockCachesSideBySide() throws IOException, InterruptedException {
    Run run =
        run(
            "GetBlockBenchmark",
            "--param",
            "access=one-hot",
            "--param",
            "threads=2",
            "--rounds",
            "1",
            "--warmups",
            "1",
            "--iterations",
            "1",
            "--millis",
            "10",
            "--out",
            "get.json");

    assertThat(run.exit()).as(run.printed()).isZero();
    Results results = Results.read(directory.resolve("get.json"));
    assertThat(results.candidate()).isEqualTo("ours");
    assertThat(results.measurements())
        .filteredOn(measurement -> measurement.unit().equals("B/op"))
        .extracting(Measurement::side)
        .containsExactlyInAnyOrder("bucket-cache", "caffeine", "ours");
  }

  @Test
  void stallsOfBlockCaches() throws IOException, InterruptedException {
    Run run =
        run(
            "workload",
            "block-cache",
            "--measure",
            "stalls",
            "--seconds",
            "1",
            "--rounds",
            "1",
            "--out",
            "stalls");

    assertThat(run.exit()).as(run.printed()).isZero();
    Results results = Results.read(directory.resolve("stalls/block-cache.json"));
    assertThat(results.measurements())
        .filteredOn(measurement -> measurement.name().equals("block-cache.stall.p99.99"))
        .extracting(Measurement::side)
        .containsExactlyInAnyOrder("bucket-cache", "caffeine", "ours");
    assertThat(directory.resolve("stalls/block-cache.html")).isNotEmptyFile();
  }

  @Test
  void withoutPatternItSaysWhatIsMissing() throws IOException, InterruptedException {
    Run run = run();

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.printed()).startsWith("an include pattern is required");
    assertThat(Files.exists(directory.resolve("results.json"))).isFalse();
  }

  @Test
  void aForkThatFailsFailsTheRun() throws IOException, InterruptedException {
    Run run =
        run(
            "HFileBlockBenchmark",
            "--quick",
            "--param",
            "buffer=mapped",
            "--world",
            "stock-java",
            "--rounds",
            "1",
            "--warmups",
            "1",
            "--iterations",
            "1",
            "--millis",
            "10");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.printed()).contains("in world stock-java failed", "not mapped");
  }
}
