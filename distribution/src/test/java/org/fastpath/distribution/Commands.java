package org.fastpath.distribution;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs commands in an environment with a JDK and the system's tools only. */
final class Commands {
  private Commands() {}

  /** The end of a command. */
  record Run(int exit, String printed) {}

  static Run run(Path directory, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Process process = builder(directory, environment, command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), printed);
  }

  static ProcessBuilder builder(
      Path directory, Map<String, String> environment, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", "/usr/bin:/bin");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    return builder;
  }
}
