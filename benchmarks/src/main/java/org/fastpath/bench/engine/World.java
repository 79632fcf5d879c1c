package org.fastpath.bench.engine;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.util.NativeCodeLoader;
import org.fastpath.cluster.JvmFlags;
import org.fastpath.cluster.NativeLibrary;

/**
 * A class path and JVM flags in which one and the same benchmark class runs. Stock and ours differ
 * in nothing but the world: a benchmark calls upstream's public classes, and the world decides
 * whose bytes are loaded under those names.
 *
 * <p>Our jars go to the <em>front</em> of the class path, as an operator puts them there. The fork
 * is told its world by a system property, and every benchmark confirms in its set-up that it really
 * is in that world ({@link #confirmCurrent()}): a libhadoop that silently fails to load would
 * otherwise give figures under the wrong name.
 */
public enum World {
  /** Benchmarks that call neither Hadoop nor HBase: plain {@code java.util.zip}. */
  JDK("jdk", "plain JDK", null, false),
  /** Stock jars, libhadoop loaded. */
  STOCK_NATIVE("stock-native", "stock HBase and Hadoop, libhadoop loaded", null, true),
  /** Stock jars, no libhadoop: Hadoop's Java code. */
  STOCK_JAVA("stock-java", "stock HBase and Hadoop, no libhadoop", null, false),
  /** Ours with the JDK's intrinsics; libhadoop is there and must make no difference. */
  OURS_JDK("ours-jdk", "ours, the JDK's CRC instructions", "jdk", true),
  /** Ours, calling libhadoop. */
  OURS_HADOOP_NATIVE("ours-hadoop-native", "ours, calling libhadoop", "hadoop-native", true),
  /** Ours as an operator gets it: the provider is chosen by calibration. */
  OURS_AUTO("ours-auto", "ours, provider chosen by calibration", "auto", true),
  /** Ours as an operator gets it on a machine without libhadoop. */
  OURS_NOLIB("ours-nolib", "ours, provider chosen by calibration, no libhadoop", "auto", false),
  /** Metrics of HBase and Hadoop, of libraries, and ours: they can all be loaded side by side. */
  METRICS("metrics", "stock HBase and Hadoop behind our metrics jar", Layout.METRICS_JAR),
  /** Block caches, HBase's and ours: they can all be loaded side by side. */
  OFF_HEAP(
      "off-heap", "stock HBase and Hadoop behind our off-heap cache's jar", Layout.OFF_HEAP_JAR),
  /** The same with another build of our jar, which {@link #BEFORE} names. */
  OFF_HEAP_BEFORE("off-heap-before", "an earlier build of our off-heap cache's jar", "");

  /** The system property that names the jar of an earlier build; unset for no such side. */
  public static final String BEFORE = "fastpath.bench.before";

  /** Names the world to the fork. */
  static final String PROPERTY = "fastpath.bench.world";

  private static final String PROVIDER_PROPERTY = "hbase.fastpath.checksum.provider";
  private static final String PATCHED_CLASS = "org.apache.hadoop.util.NativeCrc32";

  /** G1 is what a RegionServer runs; a fixed heap keeps resizing out of the figures. */
  private static final List<String> HEAP_FLAGS = List.of("-XX:+UseG1GC", "-Xms512m", "-Xmx512m");

  /** Room for a cache on the heap, and for one off it. */
  private static final List<String> CACHE_MEMORY_FLAGS =
      List.of("-XX:+UseG1GC", "-Xms2g", "-Xmx2g", "-XX:MaxDirectMemorySize=2g");

  private final String id;
  private final String description;
  private final String provider;
  private final boolean libhadoop;

  /** The only jar in front, where the checksums are stock; empty for that of an earlier build. */
  private final String jar;

  World(String id, String description, String provider, boolean libhadoop) {
    this(id, description, provider, libhadoop, null);
  }

  World(String id, String description, String jar) {
    this(id, description, null, false, jar);
  }

  World(String id, String description, String provider, boolean libhadoop, String jar) {
    this.id = id;
    this.description = description;
    this.provider = provider;
    this.libhadoop = libhadoop;
    this.jar = jar;
  }

  /** The name on the command line, in results and in the report. */
  public String id() {
    return id;
  }

  /** What it is, for the report. */
  public String description() {
    return description;
  }

  /** Whether our patched classes are in front. */
  public boolean ours() {
    return provider != null;
  }

  /** Those of our jars that are in front; the metrics come with every module. */
  List<Path> jars(Layout layout) {
    if (ours()) {
      return List.of(layout.jar(Layout.CHECKSUM_JAR), layout.jar(Layout.METRICS_JAR));
    }
    if (this == OFF_HEAP_BEFORE) {
      return List.of(Path.of(System.getProperty(BEFORE, "before.jar")));
    }
    return jar == null ? List.of() : List.of(layout.jar(jar));
  }

  /** The world with this name. */
  public static World of(String id) {
    return Stream.of(values())
        .filter(world -> world.id.equals(id))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no world \"" + id + "\"; there are: " + ids()));
  }

  private static String ids() {
    return Arrays.stream(values()).map(World::id).collect(Collectors.joining(", "));
  }

  /** The fork's class path: our jars if they are part of this world, then everything stock. */
  public String classPath(Layout layout) {
    List<Path> parts = new ArrayList<>(jars(layout));
    parts.addAll(layout.classPath());
    return parts.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  List<String> memoryFlags() {
    return this == OFF_HEAP || this == OFF_HEAP_BEFORE ? CACHE_MEMORY_FLAGS : HEAP_FLAGS;
  }

  /** Whether the command line names what the world is made of. */
  public boolean isThere() {
    return this != OFF_HEAP_BEFORE || System.getProperty(BEFORE) != null;
  }

  /** The fork's JVM flags. */
  public List<String> jvmFlags(Layout layout) {
    List<String> flags = new ArrayList<>(JvmFlags.forHBase());
    flags.addAll(memoryFlags());
    flags.add("-D" + PROPERTY + "=" + id);
    // Without libhadoop the path is one that holds none, so that a system-wide installation cannot
    // slip in.
    flags.add(
        "-Djava.library.path=" + (libhadoop ? layout.libhadoopDirectory() : layout.emptyPath()));
    if (ours()) {
      flags.add("-D" + PROVIDER_PROPERTY + "=" + provider);
    }
    return flags;
  }

  /** Fails unless this JVM is what its world's name says. Called by benchmarks in their set-up. */
  public static void confirmCurrent() {
    World world = of(System.getProperty(PROPERTY, JDK.id));
    if (world != JDK) {
      world.confirm(NativeCodeLoader.isNativeCodeLoaded(), patchLoaded());
    }
  }

  private void confirm(boolean nativeLoaded, boolean patchLoaded) {
    if (nativeLoaded != libhadoop) {
      throw new IllegalStateException(
          "world "
              + id
              + " wants libhadoop "
              + onOff(libhadoop)
              + ", it is "
              + onOff(nativeLoaded));
    }
    if (patchLoaded != ours()) {
      throw new IllegalStateException(
          "world "
              + id
              + " wants our classes "
              + onOff(ours())
              + ", they are "
              + onOff(patchLoaded));
    }
  }

  private static String onOff(boolean on) {
    return on ? "loaded" : "absent";
  }

  private static boolean patchLoaded() {
    try {
      CodeSource source = Class.forName(PATCHED_CLASS).getProtectionDomain().getCodeSource();
      URL location = source.getLocation();
      return location.getPath().contains(Layout.CHECKSUM_JAR);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("Hadoop is not on the class path", e);
    }
  }

  /** Makes sure that what this world puts on its paths is there. */
  public void prepare(Layout layout) throws IOException {
    for (Path jar : jars(layout)) {
      if (!Files.exists(jar)) {
        throw new IllegalStateException("world " + id + " cannot run: " + jar + " is missing");
      }
    }
    if (libhadoop) {
      NativeLibrary.extractTo(layout.libhadoopDirectory());
    }
  }
}
