package org.fastpath.bench.guard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.fastpath.common.guard.RecordedJars;
import org.fastpath.common.guard.Reliance;

/** Finds the records of the build for the features of all modules, and the recorded jars. */
final class Guards {
  static final String HBASE = "2.6.4-hadoop3";
  static final String HADOOP = "3.4.2";

  private static final String SUFFIX = ".guard";
  private static final Path MODULES = Path.of("..");
  private static final Path UPSTREAM = MODULES.resolve(Path.of("fastpath-common/target/upstream"));
  private static final RecordedJars PRIMARY = primary();

  private Guards() {}

  /** Returns the features by name. */
  static Map<String, Reliance> features() throws IOException {
    Map<String, Reliance> features = new TreeMap<>();
    for (Path file : files()) {
      String name = file.getFileName().toString();
      try (InputStream in = Files.newInputStream(file)) {
        features.put(name.substring(0, name.length() - SUFFIX.length()), Reliance.read(in));
      }
    }
    return features;
  }

  /** Returns the name of a feature's module. */
  static String moduleOf(String feature) throws IOException {
    return files().stream()
        .filter(file -> file.endsWith(feature + SUFFIX))
        .map(file -> file.getName(1).toString())
        .findAny()
        .orElseThrow();
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.find(MODULES, 6, (path, attributes) -> isRecord(path))) {
      return files.sorted().toList();
    }
  }

  private static boolean isRecord(Path path) {
    return path.toString().endsWith(SUFFIX)
        && path.getParent().endsWith(Path.of("target/classes/META-INF/fastpath"));
  }

  /**
   * Finds a class in jars. If all versions share the artifact of the primary version, finds it on
   * the class path.
   */
  static byte[] find(RecordedJars jars, String name) {
    byte[] bytes = jars.find(name);
    if (bytes != null || PRIMARY.find(name) != null) {
      return bytes;
    }
    try (InputStream in = Guards.class.getResourceAsStream("/" + name + ".class")) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RecordedJars primary() {
    try {
      return jars(HBASE, HADOOP);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Opens the upstream jars of two versions; the primary versions' complete them. */
  static RecordedJars jars(String hbase, String hadoop) throws IOException {
    return new RecordedJars(UPSTREAM, Stream.of(hbase, hadoop, HBASE, HADOOP).distinct().toList());
  }
}
