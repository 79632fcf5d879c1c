package org.fastpath.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.DoubleStream;
import org.fastpath.bench.engine.results.Measurement;
import org.fastpath.bench.engine.results.Results;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the jar like a user: worlds, forks, results and page, with iterations too short for valid
 * figures.
 */
class BenchmarksJarIT {
  @TempDir Path directory;

  private BenchmarksJar.Run run(String... args) throws IOException, InterruptedException {
    return BenchmarksJar.run(directory, args);
  }

  @Test
  void oneBenchmarkInStockAndOurWorlds() throws IOException, InterruptedException {
    BenchmarksJar.Run run =
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
            "out/results.json");

    assertThat(run.exit()).as(run.printed()).isZero();
    Results results = Results.read(directory.resolve("out/results.json"));
    assertThat(results.measurements())
        .filteredOn(measurement -> measurement.unit().equals("ns/op"))
        .hasSize(4)
        .allSatisfy(BenchmarksJarIT::isComplete);
    assertThat(results.measurements())
        .filteredOn(measurement -> measurement.unit().equals("B/op"))
        .extracting(Measurement::variant)
        .containsExactlyInAnyOrder("stock-native", "stock-java", "ours-auto", "ours-nolib");
    assertThat(results.environment().command()).contains("--param size=4096");
    assertThat(run("report", "out/results.json", "--out", "out/report.html").exit()).isZero();
    assertThat(directory.resolve("out/report.html")).content().contains("ours-auto", "GB/s");
    assertThat(directory.resolve("out/results.json.log")).isNotEmptyFile();
  }

  private static void isComplete(Measurement measurement) {
    assertThat(measurement.name()).isEqualTo("checksum.DataChecksumBenchmark.verify");
    assertThat(measurement.params()).containsEntry("size", "4096");
    assertThat(measurement.rounds()).hasSize(2).allSatisfy(round -> assertThat(round).hasSize(2));
    assertThat(DoubleStream.of(measurement.perRound())).allMatch(value -> value > 0);
  }

  @Test
  void blockCachesSideBySide() throws IOException, InterruptedException {
    BenchmarksJar.Run run =
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
        .extracting(Measurement::variant)
        .containsExactlyInAnyOrder("bucket-cache", "caffeine", "ours");
  }

  @Test
  void heapOfBlockCaches() throws IOException, InterruptedException {
    BenchmarksJar.Run run =
        run(
            "workload",
            "block-cache",
            "--measure",
            "heap",
            "--blocks",
            "100000",
            "--rounds",
            "1",
            "--out",
            "heap");

    assertThat(run.exit()).as(run.printed()).isZero();
    Results results = Results.read(directory.resolve("heap/block-cache.json"));
    assertThat(results.measurements())
        .filteredOn(measurement -> measurement.name().equals("block-cache.heap.filled"))
        .extracting(Measurement::variant)
        .containsExactlyInAnyOrder("bucket-cache", "caffeine", "ours");
    assertThat(directory.resolve("heap/block-cache.html")).isNotEmptyFile();
  }

  @Test
  void withoutPatternItSaysWhatIsMissing() throws IOException, InterruptedException {
    BenchmarksJar.Run run = run();

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.printed()).startsWith("an include pattern is required");
    assertThat(Files.exists(directory.resolve("results.json"))).isFalse();
  }

  @Test
  void aForkThatFailsFailsTheRun() throws IOException, InterruptedException {
    BenchmarksJar.Run run =
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
