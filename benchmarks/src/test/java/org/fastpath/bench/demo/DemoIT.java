package org.fastpath.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fastpath.bench.engine.results.Measurement;
import org.fastpath.bench.engine.results.Results;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the demo like a user, with little data. */
class DemoIT {
  private static final String JAR = System.getProperty("benchmarks.jar");

  @TempDir Path directory;

  private record Run(int exit, String printed) {}

  private Run run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), printed);
  }

  private Run demo(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-jar", JAR, "demo"));
    command.addAll(List.of(options));
    return run(command.toArray(String[]::new));
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void bothVariantsWithOurProviderOnOurs() throws IOException, InterruptedException {
    Run run = demo("--quick", "--out", "out");

    assertThat(run.exit()).as(run.printed()).isZero();
    Results results = Results.read(directory.resolve("out/demo.json"));
    assertThat(results.candidate()).isEqualTo("ours");
    for (String variant : List.of("stock", "ours")) {
      assertThat(results.measurements())
          .filteredOn(measurement -> measurement.variant().equals(variant))
          .extracting(Measurement::name)
          .contains(
              "get: cpu",
              "multi-get: rate",
              "short scan: cpu",
              "scan: latency.p99",
              "filtered scan: cpu",
              "get, a third cached: hit ratio",
              "memory: heap per block",
              "memory: waste per block",
              "major compaction: RegionServer CPU",
              "major compaction: DataNode CPU",
              "read of a cached file: client CPU",
              "write beside a slow disk: write.p99",
              "multi-get after a restart: rate");
      // A slice is a round.
      assertThat(results.find("scan: cpu", variant).orElseThrow().rounds()).hasSize(2);
      assertThat(results.find("get: cpu", variant).orElseThrow().rounds()).hasSize(4);
    }
    assertThat(results.find("get with latencies: cpu", "unmetered")).isPresent();
    assertThat(results.find("get with latencies: cpu", "ours")).isPresent();
    assertThat(results.measurements())
        .allSatisfy(
            measurement ->
                assertThat(results.topics())
                    .as(measurement.name())
                    .filteredOn(topic -> topic.has(measurement.name()))
                    .hasSize(1));
    // Settings are those of the running daemons.
    assertThat(results.topics().get(1).settings().get("stock"))
        .contains("hbase.bucketcache.ioengine = offheap");
    // The description is from the RegionServer's own bean.
    assertThat(results.descriptions().get("ours")).containsPattern("provider (jdk|hadoop-native)");
    assertThat(results.descriptions().get("stock"))
        .doesNotContain("provider")
        .contains("BucketCache");
    // Two slices allow no verdict.
    assertThat(run.printed()).contains("verdict", "no difference found", "report:");
    assertThat(run.printed()).doesNotContain(" worse");
    assertThat(directory.resolve("out/demo.html"))
        .content()
        .contains("major compaction: RegionServer CPU", "class=\"ratio no difference found\"")
        .contains("<h2>Block cache</h2>", "<h3>Put it in</h3>")
        .doesNotContain("src=\"http", "href=\"http");
    assertThat(directory.resolve("out/demo.svg"))
        .content()
        .contains(
            "memory: heap per block",
            "prefers-color-scheme",
            results.environment().date().substring(0, 10));
    assertThat(directory.resolve("out/cluster")).doesNotExist();
  }

  @Test
  void aFailureIsOneMessageWithItsPhase() throws IOException, InterruptedException {
    Path blank = Files.createDirectory(directory.resolve("a directory HDFS cannot use"));

    Run run = demo("--quick", "--out", blank.toString());

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.printed()).contains("error: the experiment failed");
    assertThat(run.printed()).contains("HDFS cannot keep blocks below").doesNotContain("\tat ");
  }

  @Test
  void theCommandExplainsItself() throws IOException, InterruptedException {
    String command = Path.of(JAR).resolve("../../../bin/fastpath").normalize().toString();

    assertThat(run("bash", command).printed()).contains("demo", "cluster", "bench", "workload");
    Run unknown = run("bash", command, "dance");
    assertThat(unknown.exit()).isEqualTo(1);
    assertThat(unknown.printed()).contains("there is no command 'dance'");
    Run noJava = run("env", "JAVA_HOME=" + directory, "bash", command, "demo");
    assertThat(noJava.exit()).isEqualTo(1);
    assertThat(noJava.printed()).startsWith("fastpath: JAVA_HOME is " + directory);
  }
}
