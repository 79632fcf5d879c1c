package org.fastpath.bench.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page of versions shows the results of the guards. */
class VersionsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "operate", "versions.md");

  @Test
  void thePageIsWhatTheGuardsSay() throws IOException {
    String text = VersionsPage.text();
    if (Boolean.getBoolean("versions.write")) {
      Files.writeString(PAGE, text);
    }
    assertThat(Files.readString(PAGE)).as("run %s", VersionsPage.COMMAND).isEqualTo(text);
  }
}
