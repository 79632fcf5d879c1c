package org.fastpath.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The jar as people start it. */
public final class BenchmarksJar {
  private static final String JAR = System.getProperty("benchmarks.jar");

  private BenchmarksJar() {}

  /** How it ended. */
  public record Run(int exit, String printed) {}

  /** Starts it there and waits for its end. */
  public static Run run(Path directory, String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Another JMH on this machine spoils figures, which do not matter here.
    command.addAll(List.of("-Djmh.ignoreLock=true", "-jar", JAR));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), printed);
  }
}
