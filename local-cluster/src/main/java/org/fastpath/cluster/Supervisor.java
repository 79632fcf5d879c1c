package org.fastpath.cluster;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Starts the background process that owns a cluster started from the command line. */
final class Supervisor {
  private static final Path SETSID = Path.of("/usr/bin/setsid");
  private static final long POLL_MILLIS = 100;

  private Supervisor() {}

  static Path log(Path directory) {
    return new ClusterLayout(directory).log("supervisor");
  }

  /**
   * Starts a supervisor and passes its output on until its cluster is ready or has failed.
   *
   * @return whether the cluster is ready
   */
  static boolean start(Path directory, List<String> arguments, Consumer<String> output)
      throws IOException, InterruptedException {
    Path log = log(directory);
    Files.createDirectories(log.getParent());
    Files.deleteIfExists(log);
    Process process =
        new ProcessBuilder(command(arguments))
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    // An interrupt of the start also ends the cluster.
    Thread interrupted = new Thread(() -> process.toHandle().destroy(), "start-interrupted");
    Runtime.getRuntime().addShutdownHook(interrupted);
    boolean ready = follow(process, directory, log, output);
    Runtime.getRuntime().removeShutdownHook(interrupted);
    return ready;
  }

  private static boolean follow(Process process, Path directory, Path log, Consumer<String> output)
      throws IOException, InterruptedException {
    try (RandomAccessFile lines = new RandomAccessFile(log.toFile(), "r")) {
      while (true) {
        boolean ended = process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
        boolean ready = ClusterState.read(directory).isPresent();
        passOn(lines, output);
        if (ended || ready) {
          return ready && !ended;
        }
      }
    }
  }

  /** Passes complete lines on. An incomplete line waits. */
  private static void passOn(RandomAccessFile lines, Consumer<String> output) throws IOException {
    byte[] bytes = new byte[(int) (lines.length() - lines.getFilePointer())];
    long begin = lines.getFilePointer();
    lines.readFully(bytes);
    int from = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        output.accept(new String(bytes, from, i - from, StandardCharsets.UTF_8));
        from = i + 1;
      }
    }
    lines.seek(begin + from);
  }

  private static List<String> command(List<String> arguments) {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      // A separate session, so closing the terminal does not end the cluster.
      command.add(SETSID.toString());
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx128m");
    command.add("-XX:+UseSerialGC");
    String jars = System.getProperty(FastpathSetup.JARS);
    if (jars != null) {
      command.add("-D" + FastpathSetup.JARS + "=" + jars);
    }
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ClusterCli.class.getName());
    command.add("supervise");
    command.addAll(arguments);
    return command;
  }
}
