package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs jcstress tests with our classes in front, briefly. For longer: the system property {@code
 * jcstress.millis} is the time of an iteration.
 */
public final class Jcstress {
  private static final List<String> BRIEFLY =
      List.of(
          "-v", "-jvmArgs", "-Xmx512m", "-sc", "false", "-pth", "false", "-f", "1", "-iters", "1");

  private Jcstress() {}

  /**
   * Runs tests.
   *
   * @param directory for the log and the report
   * @param tests a pattern that is found in the names of the tests
   */
  public static ForkedJvm.Result run(Path directory, String tests)
      throws IOException, InterruptedException {
    return run(directory, tests, Long.getLong("jcstress.millis", 300));
  }

  /**
   * Returns whether a test that has a mistake fails within a few runs, each four times as long as
   * the one before. On a busy machine the two threads of a brief run may never be at work at once.
   *
   * @param directory for the logs and the reports
   * @param broken the full name of the test
   */
  public static boolean findsFault(Path directory, String broken)
      throws IOException, InterruptedException {
    for (long millis = 1_000; millis <= 64_000; millis *= 4) {
      if (!forbidden(run(directory, broken + "$", millis)).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private static ForkedJvm.Result run(Path directory, String tests, long millis)
      throws IOException, InterruptedException {
    List<String> args = new ArrayList<>(BRIEFLY);
    args.addAll(List.of("-t", tests, "-r", directory.toString()));
    args.addAll(List.of("-time", Long.toString(millis)));
    return ForkedJvm.ours()
        .run(
            directory.resolve("jcstress.log"),
            directory,
            "org.openjdk.jcstress.Main",
            args.toArray(String[]::new));
  }

  /** A line for each result that a test forbids and that was seen, with the test's name. */
  public static List<String> forbidden(ForkedJvm.Result result) {
    return result
        .output()
        .lines()
        .filter(line -> line.contains("Observed forbidden state"))
        .toList();
  }
}
