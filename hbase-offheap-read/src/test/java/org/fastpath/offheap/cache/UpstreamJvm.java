package org.fastpath.offheap.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.fastpath.cluster.ForkedJvm;

/**
 * Runs a main class with HBase's own tests on its classpath, each run in a JVM and a directory of
 * its own. Logs are in {@code target/upstream-runs}.
 */
public final class UpstreamJvm {
  private static final Path RUNS = Path.of("target", "upstream-runs").toAbsolutePath();

  private UpstreamJvm() {}

  static ForkedJvm.Result run(String name, Class<?> main, String... args)
      throws IOException, InterruptedException {
    return run(name, List.of(), main, args);
  }

  /**
   * Runs to the end.
   *
   * @param inFront jars whose classes go before those of the same name in our tests
   */
  public static ForkedJvm.Result run(String name, List<Path> inFront, Class<?> main, String... args)
      throws IOException, InterruptedException {
    ForkedJvm jvm =
        ForkedJvm.ours()
            .inFront(inFront.toArray(Path[]::new))
            .behindOurs(upstreamTests())
            .flag("-Dlog4j.configuration=console-log4j.properties")
            .flag("-ea");
    for (String open : List.of("io", "net", "util.regex", "util.zip")) {
      jvm.flag("--add-opens=java.base/java." + open + "=ALL-UNNAMED");
    }
    return jvm.run(RUNS.resolve(name + ".log"), RUNS.resolve(name), main.getName(), args);
  }

  private static List<Path> upstreamTests() throws IOException {
    try (Stream<Path> jars = Files.list(Path.of("target", "upstream-tests").toAbsolutePath())) {
      return jars.sorted().toList();
    }
  }
}
