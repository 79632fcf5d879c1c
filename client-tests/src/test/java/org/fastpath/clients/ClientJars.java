package org.fastpath.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The jars of a published client as the build resolved them, without HBase's own jars. */
enum ClientJars {
  /** HBase's integration tests; Phoenix's tests need them too. */
  HBASE_IT("hbase-it"),
  /** Phoenix, for clients and for daemons. */
  PHOENIX("phoenix"),
  /** Phoenix's own end-to-end tests. */
  PHOENIX_TESTS("phoenix-tests"),
  /** YCSB, with the binding of the benchmarks. */
  YCSB("ycsb");

  private final String name;

  ClientJars(String name) {
    this.name = name;
  }

  /** Returns the client's jars, by name. */
  List<Path> jars() {
    Path directory = target().resolve("clients").resolve(name);
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "client jars cannot be listed; the build copies them to " + directory, e);
    }
  }

  /** Returns the classes of this module that drive a client inside its JVM. */
  static Path drivers() {
    return target().resolve("test-classes");
  }

  private static Path target() {
    return Path.of("target").toAbsolutePath();
  }
}
