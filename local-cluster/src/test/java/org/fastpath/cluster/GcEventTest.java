package org.fastpath.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GcEventTest {
  @TempDir Path directory;

  @Test
  void pausesAreToldFromWhatRunsConcurrently() throws IOException {
    Path log = directory.resolve("gc.log");
    Files.writeString(
        log,
        """
        [1700000000000ms] Using G1
        [1700000001000ms] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->5M(256M) 3.456ms
        [1700000001500ms] GC(1) Concurrent Mark Cycle
        [1700000001600ms] GC(1) Pause Remark 9M->8M(256M) 1.000ms
        [1700000001700ms] GC(1) Concurrent Mark Cycle 200.001ms
        """);

    assertThat(GcEvent.read(log))
        .containsExactly(
            new GcEvent(1700000001000L, 3.456, 24, 5), new GcEvent(1700000001600L, 1, 9, 8));
  }

  @Test
  void aJvmWritesWhatIsRead() throws IOException, InterruptedException {
    Path log = directory.resolve("real.log");
    long begin = System.currentTimeMillis();
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                GcEvent.flag(log),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                Collector.class.getName())
            .inheritIO()
            .start();
    assertThat(jvm.waitFor(1, TimeUnit.MINUTES)).isTrue();

    assertThat(GcEvent.read(log))
        .isNotEmpty()
        .allSatisfy(gc -> assertThat(gc.millis()).isBetween(begin, System.currentTimeMillis()))
        .allSatisfy(gc -> assertThat(gc.pauseMillis()).isPositive());
  }

  /** Runs one collection. */
  static final class Collector {
    private Collector() {}

    public static void main(String[] args) {
      System.gc();
    }
  }
}
