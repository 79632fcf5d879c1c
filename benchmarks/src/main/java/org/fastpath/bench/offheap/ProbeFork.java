package org.fastpath.bench.offheap;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fastpath.bench.Layout;

/** Runs a {@link Probe} in a JVM of its own, in the world of its side. */
final class ProbeFork {
  private final Layout layout;
  private final Path log;

  /** Standard error of the forks is appended to the log. */
  ProbeFork(Layout layout, Path log) {
    this.layout = layout;
    this.log = log;
  }

  /** Measures once; figures go to the sink. */
  void run(Measured measured, CacheSide side, Map<String, String> params, Probe.Sink sink)
      throws IOException {
    side.world().prepare(layout);
    Process process =
        new ProcessBuilder(command(measured, side, params))
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    int figures = 0;
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        String[] parts = line.split(Probe.SEPARATOR);
        if (parts[0].equals(Probe.FIGURE)) {
          sink.figure(parts[1], parts[2], Double.parseDouble(parts[3]));
          figures++;
        }
      }
    } finally {
      process.destroy();
    }
    if (figures == 0) {
      throw new IOException(measured.id() + " of " + side.id() + " failed, see " + log);
    }
  }

  private List<String> command(Measured measured, CacheSide side, Map<String, String> params) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(side.world().jvmFlags(layout));
    command.addAll(measured.jvmFlags());
    command.add("-cp");
    command.add(side.world().classPath(layout));
    command.add(Probe.class.getName());
    command.add(measured.id());
    command.add(side.id());
    params.forEach((name, value) -> command.add(name + "=" + value));
    return command;
  }
}
