package org.fastpath.bench;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fastpath.cluster.JvmFlags;

/** Starts the jar like a user. */
public final class BenchmarksJar {
  private static final String JAR = System.getProperty("benchmarks.jar");

  private BenchmarksJar() {}

  /** The outcome of a run. */
  public record Run(int exit, String printed) {}

  /** Starts it in a directory and waits for its end. */
  public static Run run(Path directory, String... args) throws IOException, InterruptedException {
    // Another JMH on this machine disturbs figures, which are not tested here.
    return java(directory, List.of("-Djmh.ignoreLock=true", "-jar", JAR), args);
  }

  /** Runs the operator's commands on its class path. */
  public static Run runTools(String... args) throws IOException, InterruptedException {
    Path tools = Path.of(JAR).resolveSibling("tools").resolve("fastpath-tools.jar");
    String classPath = tools + File.pathSeparator + JAR;
    List<String> jvm = new ArrayList<>(JvmFlags.forHBase());
    jvm.addAll(List.of("-cp", classPath, "org.fastpath.tools.ToolsCommand"));
    return java(Path.of("."), jvm, args);
  }

  private static Run java(Path directory, List<String> jvm, String... args)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvm);
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), printed);
  }
}
