package org.fastpath.cluster;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Starts JVMs on the stock jars. The file {@code java.args} in the process's configuration
 * directory has the whole command, so {@code java @java.args} repeats it.
 */
final class JvmStarter {
  /** Variables of a shell for another Hadoop, HBase or JVM that would change this one. */
  private static final List<String> REMOVED_VARIABLES =
      List.of(
          "CLASSPATH", "GLIBC_TUNABLES", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

  /** Our only classes on the classpaths of daemons. */
  private static final List<String> IN_DAEMONS =
      List.of(
          "DaemonLauncher",
          "BlockTokensPlugin",
          "MemlockOverride",
          "SlowVolumesPlugin",
          "SlowVolumes",
          "SlowVolumesMXBean",
          "CurrentBlock",
          "PageAdvice",
          "PageCache",
          "PageCache$Resident",
          "SlowDevice",
          "SlowDevice$Operation",
          "DeviceTable",
          "DeviceTable$Device",
          "VolumeSpeed",
          "VolumeSpeed$Access",
          "VolumeSpeed$Health");

  private final ClusterLayout layout;
  private final List<Path> stock;

  JvmStarter(ClusterLayout layout, List<Path> stock) {
    this.layout = layout;
    this.stock = stock;
  }

  /** Copies the files that the processes need besides the stock jars. */
  void prepare() throws IOException {
    for (String name : IN_DAEMONS) {
      copyClass(name);
    }
    if (NativeLibrary.isAvailable()) {
      NativeLibrary.extractTo(layout.libhadoop());
    }
  }

  /** A process to start. */
  record Launch(
      Path confDirectory,
      String mainClass,
      List<String> arguments,
      DaemonOptions options,
      String heap,
      boolean libhadoop,
      boolean client,
      List<String> flags) {}

  /** Starts a process whose standard input is held open by this JVM. */
  Process start(Launch launch, ProcessBuilder.Redirect output) throws IOException {
    List<String> words = new ArrayList<>();
    words.add("-cp");
    words.add(classpath(launch));
    words.add("-Xmx" + launch.heap());
    words.add("-XX:+ExitOnOutOfMemoryError");
    words.add("-XX:ErrorFile=" + layout.logs().resolve("hs_err_%p.log"));
    words.addAll(JvmFlags.forHBase());
    words.add("-Djava.net.preferIPv4Stack=true");
    words.add("-Djava.io.tmpdir=" + layout.tmp());
    words.add("-Djava.library.path=" + libraryPath(launch.libhadoop()));
    words.addAll(launch.flags());
    words.addAll(launch.options().jvmFlags());
    words.add(DaemonLauncher.class.getName());
    words.add(launch.mainClass());
    words.addAll(launch.arguments());
    Path arguments = writeArguments(launch.confDirectory(), words);
    return start(arguments, launch.options().environment(), output);
  }

  private Process start(
      Path argumentFile, Map<String, String> variables, ProcessBuilder.Redirect output)
      throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder = new ProcessBuilder(java, "@" + argumentFile);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeAll(REMOVED_VARIABLES);
    environment.keySet().removeIf(name -> name.startsWith("HADOOP_") || name.startsWith("HBASE_"));
    environment.putAll(variables);
    return builder
        .directory(layout.tmp().toFile())
        .redirectErrorStream(true)
        .redirectOutput(output)
        .start();
  }

  private String classpath(Launch launch) {
    List<Path> entries = new ArrayList<>();
    entries.add(launch.confDirectory());
    entries.addAll(launch.options().classpath());
    entries.add(layout.launcher());
    stock.stream()
        .filter(jar -> launch.client() || !StockClasspath.isLoadTool(jar))
        .forEach(entries::add);
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private Path libraryPath(boolean libhadoop) {
    return libhadoop && NativeLibrary.isAvailable() ? layout.libhadoop() : layout.noLibraries();
  }

  private static Path writeArguments(Path directory, List<String> words) throws IOException {
    return Files.writeString(
        directory.resolve("java.args"),
        words.stream().map(JvmStarter::quote).collect(Collectors.joining("\n", "", "\n")));
  }

  private static String quote(String word) {
    return '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private void copyClass(String name) throws IOException {
    Path directory = layout.launcher().resolve("org/fastpath/cluster");
    Files.createDirectories(directory);
    String file = name + ".class";
    try (InputStream in = JvmStarter.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IOException(file + " is missing from the classpath");
      }
      Files.copy(in, directory.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
