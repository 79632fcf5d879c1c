package org.fastpath.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;

/**
 * The jars of stock HBase and Hadoop, found among the jars of this JVM or in a directory.
 *
 * <p>It omits directories, jars with a class of ours, test frameworks and test jars, except the two
 * with HBase's PerformanceEvaluation. A daemon gets our jars only if the caller adds them.
 */
final class StockClasspath {
  private static final Pattern NOT_STOCK =
      Pattern.compile(
          "(junit|opentest4j|apiguardian|jspecify|assertj|byte-buddy|mockito|objenesis|hamcrest"
              + "|jmh-|jopt-simple|picocli|ap-loader|async-profiler|surefire|maven-"
              // YCSB, and its tracer.
              + "|core-\\d|htrace-core4).*");
  private static final Pattern TESTS = Pattern.compile(".*-tests?\\.jar");
  private static final Pattern LOAD_TOOLS =
      Pattern.compile("hbase-(mapreduce|server)-.*-tests\\.jar");
  private static final String OURS = "org/fastpath/";
  private static final String METADATA = "META-INF/";

  private StockClasspath() {}

  /** From {@code java.class.path}. */
  static List<Path> ofThisJvm() {
    List<Path> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        entries.add(Path.of(entry).toAbsolutePath().normalize());
      }
    }
    return select(entries, "the classpath of this JVM");
  }

  /** From the jars in {@code directory}, in the order of their names. */
  static List<Path> in(Path directory) {
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, "*.jar")) {
      stream.forEach(jar -> jars.add(jar.toAbsolutePath().normalize()));
    } catch (IOException e) {
      throw new ClusterException("cannot list the jars in " + directory, e);
    }
    jars.sort(null);
    return select(jars, directory.toString());
  }

  /** Returns whether a jar is for clients only: PerformanceEvaluation and its dependencies. */
  static boolean isLoadTool(Path jar) {
    return LOAD_TOOLS.matcher(jar.getFileName().toString()).matches();
  }

  private static List<Path> select(List<Path> entries, String origin) {
    Set<Path> stock = new LinkedHashSet<>();
    for (Path entry : entries) {
      addStock(entry, stock);
    }
    require(stock, "hbase-server-", origin);
    require(stock, "hadoop-hdfs-", origin);
    return List.copyOf(stock);
  }

  private static void require(Set<Path> stock, String prefix, String origin) {
    if (stock.stream().noneMatch(jar -> jar.getFileName().toString().startsWith(prefix))) {
      throw new ClusterException(
          "no " + prefix + "*.jar in " + origin + ": the daemons have nothing to run");
    }
  }

  private static void addStock(Path entry, Set<Path> stock) {
    String name = entry.getFileName().toString();
    if (!name.endsWith(".jar") || !Files.isRegularFile(entry)) {
      return;
    }
    try (JarFile jar = new JarFile(entry.toFile())) {
      boolean ours = false;
      boolean empty = true;
      for (var entries = jar.entries(); entries.hasMoreElements(); ) {
        String item = entries.nextElement().getName();
        ours |= item.startsWith(OURS);
        empty &= item.startsWith(METADATA);
      }
      if (empty) {
        // Surefire and other launchers may pass a long classpath as a jar that only refers to it.
        for (Path referred : referredTo(entry, jar.getManifest())) {
          addStock(referred, stock);
        }
      }
      if (!ours && !empty && isStock(name)) {
        stock.add(entry);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + entry, e);
    }
  }

  private static boolean isStock(String name) {
    if (NOT_STOCK.matcher(name).matches()) {
      return false;
    }
    return !TESTS.matcher(name).matches() || LOAD_TOOLS.matcher(name).matches();
  }

  private static List<Path> referredTo(Path jar, Manifest manifest) {
    List<Path> paths = new ArrayList<>();
    String value =
        manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
    if (value != null) {
      for (String reference : value.trim().split(" +")) {
        URI uri = jar.toUri().resolve(reference);
        if ("file".equals(uri.getScheme())) {
          paths.add(Path.of(uri).normalize());
        }
      }
    }
    return paths;
  }
}
