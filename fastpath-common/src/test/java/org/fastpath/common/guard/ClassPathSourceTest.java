package org.fastpath.common.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The class that a patch of any jar of ours stands for is found behind all of them. */
class ClassPathSourceTest {
  private static final String NAME = "org/apache/Patched";

  @TempDir private Path directory;

  private URL jar(String name, String content, boolean ours) throws IOException {
    Path root = directory.resolve(name);
    Path file = root.resolve(NAME + ".class");
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
    if (ours) {
      Path marker = root.resolve("META-INF/fastpath").resolve(ClassPathSource.MARKER_FILE);
      Files.createDirectories(marker.getParent());
      Files.writeString(marker, "");
    }
    return root.toUri().toURL();
  }

  private static String found(URL... jars) throws IOException {
    try (URLClassLoader loader = new URLClassLoader(jars, null)) {
      byte[] bytes = new ClassPathSource(loader).find(NAME);
      return bytes == null ? null : new String(bytes);
    }
  }

  @Test
  void patchesOfAllJarsOfOursAreLeftOut() throws IOException {
    URL patch = jar("patch", "patch", true);
    URL other = jar("other", "other patch", true);
    URL upstream = jar("upstream", "upstream", false);
    assertThat(found(patch, other, upstream)).isEqualTo("upstream");
    assertThat(found(upstream, patch)).isEqualTo("upstream");
    assertThat(found(patch, other)).isNull();
  }
}
