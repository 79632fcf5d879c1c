package org.fastpath.cluster;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The state that the supervisor of a cluster writes for the other commands: {@code
 * cluster.properties} in the cluster's directory. The file lists the started processes. The lock on
 * the directory shows whether they still run, because the kernel releases it with the process.
 */
final class ClusterState {
  private static final String SUPERVISOR = "supervisor.pid";
  private static final String DAEMONS = "daemons";
  private static final String ENDPOINT = "endpoint.";

  private final Properties properties;

  private ClusterState(Properties properties) {
    this.properties = properties;
  }

  /** A daemon in the file. */
  record Entry(String name, long pid, String port, String http, Path log) {
    boolean isAlive() {
      return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
  }

  /** Returns the state of a cluster that runs in this JVM. */
  static ClusterState of(LocalCluster cluster) {
    Properties properties = new Properties();
    properties.setProperty(SUPERVISOR, Long.toString(ProcessHandle.current().pid()));
    List<String> names = new ArrayList<>();
    for (Daemon daemon : cluster.daemons()) {
      names.add(daemon.name());
      String prefix = daemon.name() + ".";
      properties.setProperty(prefix + "pid", Long.toString(daemon.pid()));
      properties.setProperty(prefix + "port", Integer.toString(daemon.port()));
      properties.setProperty(prefix + "log", daemon.log().toString());
      if (daemon.role().httpKey() != null) {
        properties.setProperty(prefix + "http", Integer.toString(daemon.httpPort()));
      }
    }
    properties.setProperty(DAEMONS, String.join(",", names));
    cluster
        .clientConfiguration()
        .forEach((key, value) -> properties.setProperty(ENDPOINT + key, value));
    return new ClusterState(properties);
  }

  /** Reads the state in a cluster's directory, if there is one. */
  static Optional<ClusterState> read(Path directory) throws IOException {
    Path file = file(directory);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    return Optional.of(new ClusterState(properties));
  }

  static void delete(Path directory) throws IOException {
    Files.deleteIfExists(file(directory));
  }

  /** Returns whether a cluster in any state holds the directory. */
  static boolean isHeld(Path directory) throws IOException {
    return DirectoryLock.isHeld(new ClusterLayout(directory));
  }

  /** Writes it into the cluster's directory, whole or not at all. */
  void write(Path directory) throws IOException {
    Path temporary = directory.resolve("cluster.properties.tmp");
    try (Writer writer = Files.newBufferedWriter(temporary)) {
      properties.store(writer, null);
    }
    Files.move(temporary, file(directory), StandardCopyOption.ATOMIC_MOVE);
  }

  long supervisor() {
    return Long.parseLong(properties.getProperty(SUPERVISOR));
  }

  List<Entry> daemons() {
    List<Entry> entries = new ArrayList<>();
    for (String name : properties.getProperty(DAEMONS).split(",")) {
      entries.add(
          new Entry(
              name,
              Long.parseLong(properties.getProperty(name + ".pid")),
              properties.getProperty(name + ".port"),
              properties.getProperty(name + ".http", "-"),
              Path.of(properties.getProperty(name + ".log"))));
    }
    return entries;
  }

  /** Returns the value of a key of the client configuration, or a dash. */
  String endpoint(String key) {
    return properties.getProperty(ENDPOINT + key, "-");
  }

  private static Path file(Path directory) {
    return directory.resolve("cluster.properties");
  }
}
