package org.fastpath.bench.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/operate/metrics.md} shows the registered metrics of the modules. */
class MetricsPageIT {
  private static final Path JAR = Path.of(System.getProperty("benchmarks.jar"));

  @TempDir Path directory;

  @Test
  void thePageIsUpToDate() throws IOException, InterruptedException {
    assumeThat(PrometheusNames.inHBase()).as("HBase has /prometheus").isTrue();
    Path fresh = directory.resolve("metrics.md");
    Process process =
        new ProcessBuilder(command(fresh))
            .redirectErrorStream(true)
            .directory(directory.toFile())
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(printed).isZero();
    assertThat(Repository.METRICS_PAGE)
        .as("docs/operate/metrics.md is out of date: run %s", MetricsPage.COMMAND)
        .hasSameTextualContentAs(fresh);
  }

  /** Returns the command that {@code bin/fastpath} runs. */
  private static List<String> command(Path out) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        String.join(
            File.pathSeparator,
            JAR.resolveSibling("fastpath").resolve("*").toString(),
            JAR.resolveSibling("test-classes").toString(),
            JAR.toString()),
        MetricsPageCommand.class.getName(),
        "--out",
        out.toString());
  }
}
