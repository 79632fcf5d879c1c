package org.fastpath.bench.engine;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.util.NativeCodeLoader;
import org.fastpath.cluster.JvmFlags;
import org.fastpath.cluster.NativeLibrary;

/**
 * A class path and JVM flags in which the same benchmark class runs. Stock and ours differ only in
 * the world. A benchmark calls upstream's public classes, and the world decides which code is
 * loaded under those names.
 *
 * <p>Our jars are at the <em>front</em> of the class path, as in production. A system property
 * gives the fork its world. Every benchmark checks in its set-up that it is in that world ({@link
 * #confirmCurrent()}). Otherwise a libhadoop that silently fails to load would give figures under
 * the wrong name.
 */
public enum World {
  /** For benchmarks that call neither Hadoop nor HBase: plain {@code java.util.zip}. */
  JDK("plain JDK", null, false),
  STOCK_NATIVE("stock HBase and Hadoop, libhadoop loaded", null, true),
  STOCK_JAVA("stock HBase and Hadoop, no libhadoop", null, false),
  /** Ours with the JDK's intrinsics. libhadoop exists and must make no difference. */
  OURS_JDK("ours, the JDK's CRC instructions", "jdk", true),
  OURS_HADOOP_NATIVE("ours, calling libhadoop", "hadoop-native", true),
  OURS_AUTO("ours, provider chosen by calibration", "auto", true),
  OURS_NOLIB("ours, provider chosen by calibration, no libhadoop", "auto", false),
  /** Metrics of HBase, Hadoop, libraries, and ours. All can be loaded together. */
  METRICS("stock HBase and Hadoop behind our metrics jar", null, false, Layout.METRICS_JAR),
  /** Block caches of HBase and ours. Both can be loaded together. */
  OFF_HEAP(
      "stock HBase and Hadoop behind our off-heap cache's jar", null, false, Layout.OFF_HEAP_JAR),
  /** The same with an earlier build of our jar, which {@link #BEFORE} names. */
  OFF_HEAP_BEFORE("an earlier build of our off-heap cache's jar", null, false);

  /** The system property with the jar of an earlier build; unset if there is no such variant. */
  public static final String BEFORE = "fastpath.bench.before";

  /** The system property with the fork's world. */
  static final String PROPERTY = "fastpath.bench.world";

  /** RegionServers use G1. A fixed heap excludes resizing from the figures. */
  private static final List<String> HEAP_FLAGS = List.of("-XX:+UseG1GC", "-Xms512m", "-Xmx512m");

  private static final List<String> CACHE_MEMORY_FLAGS =
      List.of("-XX:+UseG1GC", "-Xms2g", "-Xmx2g", "-XX:MaxDirectMemorySize=2g");

  private final String description;
  private final String provider;
  private final boolean libhadoop;

  /** The jars before the stock ones if checksums are stock. */
  private final String[] jars;

  World(String description, String provider, boolean libhadoop, String... jars) {
    this.description = description;
    this.provider = provider;
    this.libhadoop = libhadoop;
    this.jars = jars;
  }

  /** Returns the name on the command line, in results and in the report. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String description() {
    return description;
  }

  /** Returns whether our patched classes are before the stock ones. */
  public boolean ours() {
    return provider != null;
  }

  /** Returns our jars that are before the stock ones. Every module brings the metrics jar. */
  List<Path> jars(Layout layout) {
    if (ours()) {
      return List.of(layout.jar(Layout.CHECKSUM_JAR), layout.jar(Layout.METRICS_JAR));
    }
    if (this == OFF_HEAP_BEFORE) {
      return List.of(Path.of(System.getProperty(BEFORE, "before.jar")));
    }
    return Stream.of(jars).map(layout::jar).toList();
  }

  public static World of(String id) {
    return Experiment.named("world", id, List.of(values()), World::id);
  }

  /** Returns the fork's class path: our jars if this world has them, then all stock jars. */
  public String classPath(Layout layout) {
    List<Path> parts = new ArrayList<>(jars(layout));
    parts.addAll(layout.classPath());
    return parts.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** Returns whether the command line names the jar of this world. */
  public boolean isThere() {
    return this != OFF_HEAP_BEFORE || System.getProperty(BEFORE) != null;
  }

  public List<String> jvmFlags(Layout layout) {
    List<String> flags = new ArrayList<>(JvmFlags.forHBase());
    flags.addAll(this == OFF_HEAP || this == OFF_HEAP_BEFORE ? CACHE_MEMORY_FLAGS : HEAP_FLAGS);
    flags.add("-D" + PROPERTY + "=" + id());
    // Without libhadoop, the path has no libraries. So the JVM cannot load a system-wide one.
    Path libraries = libhadoop ? layout.libhadoopDirectory() : layout.base().resolve("fastpath");
    flags.add("-Djava.library.path=" + libraries);
    if (ours()) {
      flags.add("-Dhbase.fastpath.checksum.provider=" + provider);
    }
    return flags;
  }

  /** Fails unless this JVM matches the name of its world. Benchmarks call it in their set-up. */
  public static void confirmCurrent() {
    World world = of(System.getProperty(PROPERTY, JDK.id()));
    if (world != JDK) {
      world.confirm(
          "libhadoop %s, it is %s", world.libhadoop, NativeCodeLoader.isNativeCodeLoaded());
      world.confirm("our classes %s, they are %s", world.ours(), patchLoaded());
    }
  }

  private void confirm(String words, boolean wanted, boolean found) {
    if (wanted != found) {
      String state =
          String.format(words, wanted ? "loaded" : "absent", found ? "loaded" : "absent");
      throw new IllegalStateException("world " + id() + " wants " + state);
    }
  }

  private static boolean patchLoaded() {
    try {
      CodeSource source =
          Class.forName("org.apache.hadoop.util.NativeCrc32").getProtectionDomain().getCodeSource();
      return source.getLocation().getPath().contains(Layout.CHECKSUM_JAR);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("Hadoop is not on the class path", e);
    }
  }

  /** Checks this world's jars and unpacks libhadoop if it needs it. */
  public void prepare(Layout layout) throws IOException {
    for (Path jar : jars(layout)) {
      if (!Files.exists(jar)) {
        throw new IllegalStateException("world " + id() + " cannot run: " + jar + " is missing");
      }
    }
    if (libhadoop) {
      NativeLibrary.extractTo(layout.libhadoopDirectory());
    }
  }
}
