package org.fastpath.tools.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.fastpath.tools.cache.FakeJmx;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class VolumesCommandTest {
  private final StringWriter out = new StringWriter();

  @Test
  void aDataNodeThatDoesNotAnswerHidesNoOther() throws IOException {
    FakeJmx gone = new FakeJmx(query -> "");
    gone.close();
    String page = "{\"beans\": [{\"tag.directory\": \"/a\", \"tag.storageType\": \"DISK\"}]}";
    try (FakeJmx server = new FakeJmx(query -> page)) {
      assertThat(volumes(gone, server)).isEqualTo(1);
      assertThat(out.toString()).contains(gone.address() + "/jmx does not answer: ", "/a");
      assertThat(volumes(server)).isZero();
    }
  }

  private int volumes(FakeJmx... dataNodes) {
    CommandLine line = new CommandLine(new VolumesCommand()).setOut(new PrintWriter(out));
    String[] args = new String[dataNodes.length + 1];
    args[0] = "--times=1";
    for (int i = 0; i < dataNodes.length; i++) {
      args[i + 1] = dataNodes[i].address().substring("http://".length());
    }
    return line.execute(args);
  }
}
