package org.fastpath.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The benchmarks stay small: few lines, small classes, and rooms in one order. */
class RoomsTest {
  private static final Path SOURCES = Path.of("src/main/java");
  private static final int MAX_LINES = 15_000;
  private static final int MAX_LINES_OF_A_CLASS = 300;
  private static final String ROOT = "org.fastpath.bench";
  private static final Pattern OWN =
      Pattern.compile("import (?:static )?(org\\.fastpath\\.bench\\.[a-z.]+)\\.");

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  private static String packageOf(Path file) {
    return SOURCES.relativize(file.getParent()).toString().replace('/', '.');
  }

  /** Returns the imported packages of each package. */
  private static Map<String, Set<String>> imports() throws IOException {
    Map<String, Set<String>> imports = new TreeMap<>();
    for (Path file : sources()) {
      Set<String> own = imports.computeIfAbsent(packageOf(file), any -> new TreeSet<>());
      Matcher found = OWN.matcher(Files.readString(file));
      while (found.find()) {
        own.add(found.group(1));
      }
      own.remove(packageOf(file));
    }
    return imports;
  }

  @Test
  void thereIsNoCircleOfImports() throws IOException {
    Map<String, Set<String>> imports = imports();
    // Removes packages without remaining imports. An import circle remains.
    while (imports.entrySet().removeIf(one -> one.getValue().isEmpty())) {
      imports.values().forEach(own -> own.retainAll(imports.keySet()));
    }
    assertThat(imports).as("packages that import each other").isEmpty();
  }

  @Test
  void workloadsAndSimulatorsAndJmhKnowTheEngineOnly() throws IOException {
    imports()
        .forEach(
            (name, own) -> {
              String room = name.replaceFirst("^" + ROOT + "\\.(\\w+).*", "$1");
              if (Set.of("jmh", "simulators", "workloads", "engine").contains(room)) {
                assertThat(own)
                    .as(name)
                    .allMatch(
                        other ->
                            other.startsWith(ROOT + ".engine")
                                || room.equals("jmh") && other.startsWith(ROOT + ".jmh"));
              }
            });
  }

  @Test
  void classesAreSmall() throws IOException {
    for (Path file : sources()) {
      assertThat(Files.readAllLines(file))
          .as(file.toString())
          .hasSizeLessThanOrEqualTo(MAX_LINES_OF_A_CLASS);
    }
  }

  @Test
  void allOfThemAreFew() throws IOException {
    long lines = 0;
    for (Path file : sources()) {
      lines += Files.readAllLines(file).size();
    }
    assertThat(lines).isLessThanOrEqualTo(MAX_LINES);
  }
}
