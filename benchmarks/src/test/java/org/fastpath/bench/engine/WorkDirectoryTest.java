package org.fastpath.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkDirectoryTest {
  @TempDir Path temporary;

  @Test
  void clearsAnEarlierClusterAndNothingElse() throws IOException {
    Files.createDirectories(temporary.resolve("cluster/data/deep"));
    Files.writeString(temporary.resolve("cluster/data/deep/block"), "x");
    Files.writeString(temporary.resolve("demo.json"), "{}");

    try (WorkDirectory directory = new WorkDirectory(temporary)) {
      assertThat(directory.cluster()).doesNotExist();
      assertThat(directory.resolve("demo.json")).exists();
    }
  }

  @Test
  void oneRunAtATime() throws IOException {
    try (WorkDirectory directory = new WorkDirectory(temporary)) {
      assertThatThrownBy(() -> new WorkDirectory(temporary))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("another run uses " + directory.path());
    }
    new WorkDirectory(temporary).close();
  }
}
