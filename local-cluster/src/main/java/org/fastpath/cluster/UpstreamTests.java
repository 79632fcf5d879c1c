package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs HBase's and Hadoop's own tests with our classes in front. Each class has its own JVM and
 * directory below {@code target/upstream-runs}, which also has the logs. The jars of the tests and
 * their dependencies are in {@code target/upstream-tests} of the calling module. Thread-safe.
 */
public final class UpstreamTests {
  private static final Path JARS = Path.of("target", "upstream-tests").toAbsolutePath();
  private static final Path RUNS = Path.of("target", "upstream-runs").toAbsolutePath();
  private static final Pattern OK = Pattern.compile("OK \\((\\d+) tests?\\)");

  /** From this release on, no SecurityManager can be set, as HBase's tests do. */
  private static final int NO_SECURITY_MANAGER = 24;

  private UpstreamTests() {}

  /** Returns a JVM with our classes, the tests, and their flags. */
  public static ForkedJvm jvm() throws IOException {
    ForkedJvm jvm =
        ForkedJvm.ours()
            .behindOurs(jars())
            .flag("-Dlog4j.configuration=console-log4j.properties")
            .flag("-ea");
    if (Runtime.version().feature() < NO_SECURITY_MANAGER) {
      jvm.flag("-Djava.security.manager=allow");
    }
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
   * @param methods pattern of the methods' names, including parameters: {@code test[0]}
   */
  public static ForkedJvm.Result run(ForkedJvm jvm, String name, String testClass, String methods)
      throws IOException, InterruptedException {
    return run(jvm, name, JUnit4Methods.class, testClass, methods);
  }

  /** Runs a main class in the same environment. */
  public static ForkedJvm.Result run(ForkedJvm jvm, String name, Class<?> main, String... args)
      throws IOException, InterruptedException {
    return jvm.run(RUNS.resolve(name + ".log"), RUNS.resolve(name), main.getName(), args);
  }

  /** Returns the number of tests that passed or skipped themselves; 0 if one failed. */
  public static int passed(ForkedJvm.Result result) {
    Matcher ok = OK.matcher(result.output());
    return result.exitCode() == 0 && ok.find() ? Integer.parseInt(ok.group(1)) : 0;
  }

  /** Returns whether a test skipped itself because a requirement was missing. */
  public static boolean skippedSome(ForkedJvm.Result result) {
    return !result.lines(JUnit4Methods.SKIPPED).equals(List.of(JUnit4Methods.SKIPPED + 0));
  }
}
