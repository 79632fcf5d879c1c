package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Names the files in the directory of a cluster.
 *
 * <pre>
 *   conf/NAME/   one directory per daemon, first on its classpath; conf/client for clients
 *   data/NAME/   the data of a daemon; data/datanode-0/volume-0 ...
 *   logs/        NAME.log, client-N-CLASS.log
 *   lib/         the launcher's classes, libhadoop
 *   tmp/         java.io.tmpdir of the daemons
 *   sockets/     domain sockets of short-circuit reads
 *   ports        the ports in use, used again at the next start if still free
 * </pre>
 */
final class ClusterLayout {
  /** A domain socket's path must fit into sockaddr_un; the port is put into it later. */
  private static final int MAX_SOCKET_PATH = 96;

  private final Path root;

  ClusterLayout(Path root) {
    this.root = root.toAbsolutePath().normalize();
    String path = this.root.toString();
    // A DataNode fails at a blank or a percent sign in a volume's path, and splits it at a comma.
    if (!path.equals(this.root.toUri().getRawPath().replaceFirst("/$", "")) || path.contains(",")) {
      throw new ClusterException(
          "HDFS cannot keep blocks below '"
              + path
              + "': choose a directory with letters, digits, '.', '-' and '_' only in its path");
    }
  }

  Path root() {
    return root;
  }

  Path conf(String name) {
    return root.resolve("conf").resolve(name);
  }

  Path data(String name) {
    return root.resolve("data").resolve(name);
  }

  /** Returns the file with the speeds of a DataNode's volumes. */
  Path devices(String dataNode) {
    return conf(dataNode).resolve("devices");
  }

  Path logs() {
    return root.resolve("logs");
  }

  Path log(String name) {
    return logs().resolve(name + ".log");
  }

  Path launcher() {
    return root.resolve("lib").resolve("launcher");
  }

  Path libhadoop() {
    return root.resolve("lib").resolve("libhadoop");
  }

  /** Returns an empty library path, so that a libhadoop of the machine is not found. */
  Path noLibraries() {
    return root.resolve("lib").resolve("none");
  }

  Path tmp() {
    return root.resolve("tmp");
  }

  Path ports() {
    return root.resolve("ports");
  }

  Path lock() {
    return root.resolve("lock");
  }

  List<Path> volumes(String dataNode, int count) {
    return Stream.iterate(0, i -> i + 1)
        .limit(count)
        .map(i -> data(dataNode).resolve("volume-" + i))
        .toList();
  }

  /** Returns the pattern of the DataNodes' domain sockets; HDFS replaces _PORT. */
  String domainSocket() {
    String path = root.resolve("sockets").resolve("dn._PORT").toString();
    if (path.length() > MAX_SOCKET_PATH) {
      throw new ClusterException(
          "the directory's name is too long for domain sockets (short-circuit reads): "
              + path
              + "; choose one with a shorter path");
    }
    return path;
  }

  void create() throws IOException {
    for (Path directory : List.of(logs(), launcher(), noLibraries(), tmp())) {
      Files.createDirectories(directory);
    }
    Path sockets = Files.createDirectories(root.resolve("sockets"));
    Files.setPosixFilePermissions(sockets, PosixFilePermissions.fromString("rwx------"));
  }

  /** Returns whether a parent directory of the sockets is world-writable, like /tmp. */
  boolean isBelowWorldWritable() throws IOException {
    for (Path path = root; path != null; path = path.getParent()) {
      if (Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_WRITE)) {
        return true;
      }
    }
    return false;
  }

  void delete() throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(root)) {
      paths = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : paths) {
      Files.deleteIfExists(path);
    }
  }
}
