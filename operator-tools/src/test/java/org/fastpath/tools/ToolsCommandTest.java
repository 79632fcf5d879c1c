package org.fastpath.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ToolsCommandTest {
  private final StringWriter err = new StringWriter();
  private final CommandLine line = ToolsCommand.commandLine().setErr(new PrintWriter(err));

  @Test
  void noCommandIsAUsageError() {
    assertThat(line.execute()).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).startsWith("A command is required.");
  }

  @Test
  void whatCouldNotBeTakenBackIsPrinted() throws Exception {
    IOException failure = new IOException("first");
    failure.addSuppressed(new IOException("second", new IOException("third")));
    line.getExecutionExceptionHandler().handleExecutionException(failure, line, null);
    assertThat(err.toString().lines())
        .containsExactly("error: first", "  also: second", "  because: third");
  }

  @Test
  void anUnknownCommandIsAUsageError() {
    assertThat(line.execute("destroy")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("destroy");
  }
}
