package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * HBase's and Hadoop's own tests with our classes in front, each class in a JVM and a directory of
 * its own below {@code target/upstream-runs}, where the logs are, too. Their jars, and those of
 * what they need, are in {@code target/upstream-tests} of the module that calls it. Thread-safe.
 */
public final class UpstreamTests {
  private static final Path JARS = Path.of("target", "upstream-tests").toAbsolutePath();
  private static final Path RUNS = Path.of("target", "upstream-runs").toAbsolutePath();
  private static final Pattern OK = Pattern.compile("OK \\((\\d+) tests?\\)");

  private UpstreamTests() {}

  /** A JVM with our classes, the tests, and the flags that they want. */
  public static ForkedJvm jvm() throws IOException {
    ForkedJvm jvm =
        ForkedJvm.ours()
            .behindOurs(jars())
            .flag("-Dlog4j.configuration=console-log4j.properties")
            .flag("-ea");
    for (String open : List.of("io", "net", "util.regex", "util.zip")) {
      jvm.flag("--add-opens=java.base/java." + open + "=ALL-UNNAMED");
    }
    return jvm;
  }

  private static List<Path> jars() throws IOException {
    try (Stream<Path> jars = Files.list(JARS)) {
      return jars.sorted().toList();
    }
  }

  /**
   * Runs a class of JUnit 4 tests.
   *
   * @param name of the run: of its log and its directory
   * @param methods what the names of its methods must match, parameters included: {@code test[0]}
   */
  public static ForkedJvm.Result run(ForkedJvm jvm, String name, String testClass, String methods)
      throws IOException, InterruptedException {
    return run(jvm, name, JUnit4Methods.class, testClass, methods);
  }

  /** Runs a main class in the same surroundings. */
  public static ForkedJvm.Result run(ForkedJvm jvm, String name, Class<?> main, String... args)
      throws IOException, InterruptedException {
    return jvm.run(RUNS.resolve(name + ".log"), RUNS.resolve(name), main.getName(), args);
  }

  /** How many tests were run and passed, or were skipped by themselves; 0 if one failed. */
  public static int passed(ForkedJvm.Result result) {
    Matcher ok = OK.matcher(result.output());
    return result.exitCode() == 0 && ok.find() ? Integer.parseInt(ok.group(1)) : 0;
  }

  /** Whether a test was skipped by itself, as it did not find what it needs. */
  public static boolean skippedSome(ForkedJvm.Result result) {
    return !result.lines(JUnit4Methods.SKIPPED).equals(List.of(JUnit4Methods.SKIPPED + 0));
  }
}
