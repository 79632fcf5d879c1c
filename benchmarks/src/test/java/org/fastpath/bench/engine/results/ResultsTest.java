package org.fastpath.bench.engine.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  private static final Environment HERE = Environment.here("a command", Environment.software());

  @TempDir Path directory;

  private static Results sample() {
    return Results.builder("a title", HERE)
        .candidate("D")
        .describe("D", "ours everywhere")
        .rivals("a.measurement", List.of("a.rival"))
        .round("a.measurement", Map.of("size", "1"), "A", "ns/op", 1.5, 2.5, 3.5)
        .round("a.measurement", Map.of("size", "1"), "A", "ns/op", 4.5)
        .round("rate", Map.of(), "A", "rows/s", 1e6)
        .round("hits", Map.of(), "A", "%", 99)
        .better("hits", Measurement.Better.HIGHER)
        .series(new Series("cpu", "A", "s", "cores", List.of(0.0, 1.0), List.of(0.5, 1.5)))
        .flameGraph(new FlameGraph("compaction", "A", "a.html"))
        .build();
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    Path file = directory.resolve("new/results.json");

    sample().write(file);

    assertThat(Results.read(file)).isEqualTo(sample());
  }

  @Test
  void roundsKeepTheirRawSamples() {
    Measurement measurement = sample().find("a.measurement", "A").orElseThrow();

    assertThat(measurement.rounds()).containsExactly(List.of(1.5, 2.5, 3.5), List.of(4.5));
    assertThat(measurement.perRound()).containsExactly(2.5, 4.5);
    assertThat(measurement.median()).isEqualTo(3.5);
    assertThat(measurement.max()).isEqualTo(4.5);
  }

  @Test
  void directionFollowsFromTheUnitUnlessSaid() {
    assertThat(sample().find("a.measurement", "A").orElseThrow().better())
        .isEqualTo(Measurement.Better.LOWER);
    assertThat(sample().find("rate", "A").orElseThrow().better())
        .isEqualTo(Measurement.Better.HIGHER);
    assertThat(sample().find("hits", "A").orElseThrow().better())
        .isEqualTo(Measurement.Better.HIGHER);
  }

  @Test
  void environmentSaysWhatTheFiguresDependOn() {
    assertThat(HERE.cores()).isPositive();
    assertThat(HERE.cpu()).isNotBlank();
    assertThat(HERE.jdk()).contains(Runtime.version().toString().split("\\+")[0]);
    assertThat(HERE.versions()).containsKeys("HBase", "JMH", "-XX:UseAVX");
  }

  @Test
  void emptyRoundsAndUnevenLinesAreRefused() {
    Results.Builder builder =
        Results.builder("a title", HERE).round("a.measurement", Map.of(), "A", "s");
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a.measurement");
    assertThatThrownBy(() -> new Series("cpu", "A", "s", "cores", List.of(1.0), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cpu");
  }
}
