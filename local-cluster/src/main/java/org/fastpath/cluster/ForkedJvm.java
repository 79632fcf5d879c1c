package org.fastpath.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A separate JVM in which tests run a main class on stock jars, or with ours in front. Classes of
 * the same name cannot be compared in one JVM. Nor can libhadoop be loaded twice.
 */
public final class ForkedJvm {
  private static final long TIMEOUT_MINUTES = 20;
  private static final String CLASSES = File.separator + Path.of("target", "classes");

  private final List<String> flags = new ArrayList<>();
  private final List<String> classpath = new ArrayList<>();

  private ForkedJvm(Stream<String> classpath) {
    classpath.forEach(this.classpath::add);
    flags.addAll(JvmFlags.forHBase());
    flags.add("-Xmx1g");
  }

  /** Returns a JVM with the class path of an operator's process, without our jars. */
  public static ForkedJvm stock() {
    return new ForkedJvm(entries().filter(entry -> !entry.endsWith(CLASSES)));
  }

  /** Returns the same with our classes in front. */
  public static ForkedJvm ours() {
    Stream<String> own = entries().filter(entry -> entry.endsWith(CLASSES));
    Stream<String> rest = entries().filter(entry -> !entry.endsWith(CLASSES));
    return new ForkedJvm(Stream.concat(own, rest));
  }

  private static Stream<String> entries() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator));
  }

  /** Lets it find libhadoop.so at the path in the system property {@code libhadoop.path}. */
  public ForkedJvm withLibhadoop() {
    return flag("-Djava.library.path=" + System.getProperty("libhadoop.path"));
  }

  /** Adds a flag of the JVM. */
  public ForkedJvm flag(String flag) {
    flags.add(flag);
    return this;
  }

  /** Configures it for a short program: see {@link DaemonOptions#quickStart}. */
  public ForkedJvm quickStart() {
    flags.addAll(JvmFlags.quickStart());
    return this;
  }

  /** Puts jars or directories in front of everything else. */
  public ForkedJvm inFront(Path... paths) {
    classpath.addAll(0, Arrays.stream(paths).map(Path::toString).toList());
    return this;
  }

  /** Puts jars or directories between our classes and the stock jars. */
  public ForkedJvm behindOurs(List<Path> paths) {
    int ours = (int) classpath.stream().filter(entry -> entry.endsWith(CLASSES)).count();
    classpath.addAll(ours, paths.stream().map(Path::toString).toList());
    return this;
  }

  /** Runs to the end; output and errors go to {@code log}. */
  public Result run(Path log, String mainClass, String... args)
      throws IOException, InterruptedException {
    return run(log, Path.of("").toAbsolutePath(), mainClass, args);
  }

  /** Runs in a working directory, which is made if necessary. */
  public Result run(Path log, Path directory, String mainClass, String... args)
      throws IOException, InterruptedException {
    Process process = start(log, directory, mainClass, args);
    if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException(mainClass + " did not end in time: see " + log);
    }
    return new Result(process.exitValue(), Files.readString(log), log);
  }

  /** Starts it. The caller must end it. Output and errors go to {@code log}. */
  public Process start(Path log, Path directory, String mainClass, String... args)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add("-cp");
    command.add(String.join(File.pathSeparator, classpath));
    command.add(mainClass);
    command.addAll(Arrays.asList(args));
    Files.createDirectories(log.toAbsolutePath().getParent());
    Files.createDirectories(directory);
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** The exit code and the output. */
  public record Result(int exitCode, String output, Path log) {
    private static final int MOST_LINES = 60;

    /** Returns the name of the log and its last lines. */
    public String end() {
      List<String> lines = output.lines().toList();
      return log
          + "\n"
          + String.join("\n", lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size()));
    }

    /** Returns the lines with this prefix. */
    public List<String> lines(String prefix) {
      return output.lines().filter(line -> line.startsWith(prefix)).toList();
    }
  }
}
