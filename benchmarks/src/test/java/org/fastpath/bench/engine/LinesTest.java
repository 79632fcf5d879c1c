package org.fastpath.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.fastpath.bench.engine.results.Environment;
import org.fastpath.bench.engine.results.Results;
import org.junit.jupiter.api.Test;

/** A measuring JVM, its driver, and waits for other threads. */
class LinesTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final Console console =
      new Console(new PrintStream(printed, true, StandardCharsets.UTF_8), false);
  private final Results.Builder results =
      Results.builder("test", Environment.here("a command", Map.of()));
  private final Run run = new Run(null, console, results);
  private final Lines lines = new Lines();

  /** Reports a figure, and fails if it is asked to, while a thread of its own goes on. */
  static final class Endless implements Lines.Probe {
    @Override
    public void measure(Map<String, String> params, Lines.Sink sink) throws IOException {

      sink.figure("probe.time", "ms", 7);
      if (params.get("fails").equals("true")) {
        throw new IOException("the probe has failed");
      }
    }
  }

  private static Process process(boolean fails) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Lines.class.getName()));
    command.addAll(Lines.arguments(Endless.class, Map.of("fails", "" + fails)));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static String text(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void aProbeEndsInSpiteOfItsThreads() throws IOException {
    Process process = process(false);

    assertThat(text(process)).contains("figure\tprobe.time\t\tms\t7.0");
    assertThat(Pause.await(process.onExit()).exitValue()).isZero();
  }

  @Test
  void aFailureIsAStackTraceAndAnExitCode() throws IOException {
    Process process = process(true);

    assertThat(text(process)).contains("IOException: the probe has failed").contains("at org.");
    assertThat(Pause.await(process.onExit()).exitValue()).isEqualTo(1);
  }

  @Test
  void theProgressLeavesOutTheControlAndEmptyVariants() throws IOException {
    Console.Step step = run.step("parts", "round");
    lines.hear("figure\tcache.stall.p50\t\tms\t2", step);
    lines.hear("figure\tcache.stall.nothing.p50\t\tms\t1", step);
    lines.hear("figure\tcache.time\tloop\tms\t3", step);
    lines.record(run, step, Map.of(), "kind", "ours");

    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("round: stall.p50: 2")
        .contains("; time loop: 3")
        .doesNotContain("nothing");
    assertThat(results.build().find("cache.stall.nothing.p50", "ours")).isPresent();
    assertThat(results.build().find("cache.time", "ours", Map.of("kind", "loop"))).isPresent();
  }

  @Test
  void aStepWithoutFiguresIsNotDone() {
    Console.Step step = run.step("parts", "round");

    assertThatThrownBy(() -> lines.record(run, step, Map.of(), "", "ours"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ours");
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void failuresOfTasksAreWrapped() {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              throw new IllegalStateException("the cause");
            });
    task.run();

    assertThatThrownBy(() -> Pause.await(task))
        .isInstanceOf(IOException.class)
        .hasMessage("the cause")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void anInterruptedWaitKeepsTheFlag() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> Pause.await(new FutureTask<>(() -> {}, null)))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
