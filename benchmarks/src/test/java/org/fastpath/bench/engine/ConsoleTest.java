package org.fastpath.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConsoleTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private Console console(boolean terminal) {
    return new Console(new PrintStream(printed, true, StandardCharsets.UTF_8), terminal);
  }

  private String text() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aStepEndsWithCountAndRate() {
    console(false).step("stock, load", "rows").done(25_000);

    assertThat(text()).matches("\\[ 0:\\d\\d] stock, load: 25,000 rows, [\\d,]+ rows/s\\R");
  }

  @Test
  void aFileGetsNoLinePerUpdate() {
    Console.Step step = console(false).step("stock, load", "rows");
    for (int row = 0; row < 1000; row++) {
      step.update(row, 1000);
    }

    assertThat(text()).isEmpty();
  }

  @Test
  void aTerminalSeesAtOnceWhatBegins() {
    console(true).step("stock, load", "rows");

    assertThat(text()).endsWith("stock, load ...").doesNotContain("\n");
  }

  @Test
  void silenceIsSilent() {
    Console.silent().line("nobody hears this");

    assertThat(text()).isEmpty();
  }
}
