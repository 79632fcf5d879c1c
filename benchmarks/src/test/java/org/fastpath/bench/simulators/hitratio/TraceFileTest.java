package org.fastpath.bench.simulators.hitratio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFileTest {
  private static final String LINES = "# a comment\n7 0 100\n7 100 50\n\n8 0 10 scan\n7 0 100\n";

  @TempDir private Path directory;

  @Test
  void plainAndCompressedFilesAreTheSame() throws IOException {
    Path plain = Files.writeString(directory.resolve("a.trace"), LINES);
    Path compressed = directory.resolve("a.trace.gz");
    try (OutputStream file = new GZIPOutputStream(Files.newOutputStream(compressed))) {
      file.write(LINES.getBytes(StandardCharsets.UTF_8));
    }
    for (Trace trace : List.of(TraceFile.read(plain), TraceFile.read(compressed))) {
      assertThat(trace.reads()).containsExactly(0, 1, 2, 0);
      assertThat(trace.lengths()).containsExactly(100, 50, 10);
      assertThat(trace.counts(1)).isTrue();
      assertThat(trace.counts(2)).isFalse();
    }
  }

  @Test
  void aWrongLineIsNamed() throws IOException {
    Path file = Files.writeString(directory.resolve("b.trace"), "7 0 100\n7 0\n");
    assertThatThrownBy(() -> TraceFile.read(file)).hasMessageContaining("b.trace:2");
  }

  @Test
  void recordedTracesCanBeRead() throws IOException {
    assertThat(TraceFile.recorded())
        .hasSize(2)
        .allSatisfy(trace -> assertThat(trace.reads().length).isGreaterThan(200_000));
  }
}
