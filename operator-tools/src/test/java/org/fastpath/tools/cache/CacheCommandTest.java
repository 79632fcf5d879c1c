package org.fastpath.tools.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CacheCommandTest {
  private final StringWriter out = new StringWriter();
  private final CacheCommand command = new CacheCommand();

  @Test
  void aServerThatDoesNotAnswerHidesNoOther() throws IOException {
    new CommandLine(command).setOut(new PrintWriter(out));
    FakeJmx gone = new FakeJmx(query -> "");
    gone.close();
    String page = "{\"beans\": [{\"Status\": [\"pinned\"], \"Plan\": [\"planned\"]}]}";
    try (FakeJmx server = new FakeJmx(query -> page)) {
      Map<String, String> servers =
          new TreeMap<>(Map.of("rs1:16020", gone.address(), "rs2:16020", server.address()));
      LiveCluster cluster = new LiveCluster(servers, List.of(), 1);
      assertThat(command.status(FakeJmx.PAGE, cluster)).isEqualTo(1);
      assertThat(out.toString().lines())
          .satisfiesExactly(
              line -> assertThat(line).isEqualTo("rs1:16020"),
              line -> assertThat(line).startsWith("  " + gone.address() + "/jmx does not answer: "),
              line -> assertThat(line).isEqualTo("rs2:16020"),
              line -> assertThat(line).isEqualTo("  pinned"));
      assertThat(command.plan(FakeJmx.PAGE, cluster)).isEqualTo(1);
      assertThat(out.toString()).contains("  planned", "cached whole");
      servers.remove("rs1:16020");
      assertThat(command.plan(FakeJmx.PAGE, cluster)).isZero();
    }
  }
}
