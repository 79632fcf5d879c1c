package org.fastpath.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The jar holds our own packages and, of others' packages, just what {@code docs/design/patches.md}
 * lists.
 */
class PatchListTest {
  private static final Path CLASSES = Path.of("target", "classes");
  private static final Path LIST = Path.of("..", "docs", "design", "patches.md");
  private static final Pattern ROW =
      Pattern.compile("\\| `(org\\.apache\\.[\\w.]+)` \\| (\\S+) \\|");

  @Test
  void classesInOthersPackagesAreListedAndTheListedOnesAreThere() throws IOException {
    List<String> listed =
        ROW.matcher(Files.readString(LIST))
            .results()
            .filter(row -> row.group(2).equals("hbase-native-checksum"))
            .map(row -> row.group(1))
            .toList();
    assertThat(classes().filter(name -> !name.startsWith("org.fastpath.")))
        .containsExactlyInAnyOrderElementsOf(listed);
  }

  private static Stream<String> classes() throws IOException {
    try (Stream<Path> files = Files.walk(CLASSES)) {
      return files
          .map(file -> CLASSES.relativize(file).toString())
          .filter(file -> file.endsWith(".class"))
          .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
          .toList()
          .stream();
    }
  }
}
