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
  JDK("jdk", "plain JDK", null, false),
  /** Stock jars with libhadoop loaded. */
  STOCK_NATIVE("stock-native", "stock HBase and Hadoop, libhadoop loaded", null, true),
  /** Stock jars without libhadoop: Hadoop's Java code. */
  STOCK_JAVA("stock-java", "stock HBase and Hadoop, no libhadoop", null, false),
  /** Ours with the JDK's intrinsics. libhadoop exists and must make no difference. */
  OURS_JDK("ours-jdk", "ours, the JDK's CRC instructions", "jdk", true),
  /** Ours with calls to libhadoop. */
  OURS_HADOOP_NATIVE("ours-hadoop-native", "ours, calling libhadoop", "hadoop-native", true),
  /** Ours in the default configuration: calibration chooses the provider. */
  OURS_AUTO("ours-auto", "ours, provider chosen by calibration", "auto", true),
  /** Ours in the default configuration on a machine without libhadoop. */
  OURS_NOLIB("ours-nolib", "ours, provider chosen by calibration, no libhadoop", "auto", false),
  /** Metrics of HBase, Hadoop, libraries, and ours. All can be loaded together. */
  METRICS("metrics", "stock HBase and Hadoop behind our metrics jar", Layout.METRICS_JAR),
  /** Block caches of HBase and ours. Both can be loaded together. */
  OFF_HEAP(
      "off-heap", "stock HBase and Hadoop behind our off-heap cache's jar", Layout.OFF_HEAP_JAR),
  /** The same with an earlier build of our jar, which {@link #BEFORE} names. */
  OFF_HEAP_BEFORE("off-heap-before", "an earlier build of our off-heap cache's jar", "");

  /** The system property with the jar of an earlier build; unset if there is no such variant. */
  public static final String BEFORE = "fastpath.bench.before";

  /** The system property with the fork's world. */
  static final String PROPERTY = "fastpath.bench.world";

  private static final String PROVIDER_PROPERTY = "hbase.fastpath.checksum.provider";
  private static final String PATCHED_CLASS = "org.apache.hadoop.util.NativeCrc32";

  /** RegionServers use G1. A fixed heap excludes resizing from the figures. */
  private static final List<String> HEAP_FLAGS = List.of("-XX:+UseG1GC", "-Xms512m", "-Xmx512m");

  /** Flags with memory for a cache on the heap, and for one off the heap. */
  private static final List<String> CACHE_MEMORY_FLAGS =
      List.of("-XX:+UseG1GC", "-Xms2g", "-Xmx2g", "-XX:MaxDirectMemorySize=2g");

  private final String id;
  private final String description;
  private final String provider;
  private final boolean libhadoop;

  /** The only jar before the stock ones if checksums are stock; empty for an earlier build. */
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

  /** Returns the name on the command line, in results and in the report. */
  public String id() {
    return id;
  }

  /** Returns the description for the report. */
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
    return jar == null ? List.of() : List.of(layout.jar(jar));
  }

  /** Returns the world with this name. */
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

  /** Returns the fork's class path: our jars if this world has them, then all stock jars. */
  public String classPath(Layout layout) {
    List<Path> parts = new ArrayList<>(jars(layout));
    parts.addAll(layout.classPath());
    return parts.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  List<String> memoryFlags() {
    return this == OFF_HEAP || this == OFF_HEAP_BEFORE ? CACHE_MEMORY_FLAGS : HEAP_FLAGS;
  }

  /** Returns whether the command line names the jar of this world. */
  public boolean isThere() {
    return this != OFF_HEAP_BEFORE || System.getProperty(BEFORE) != null;
  }

  /** Returns the fork's JVM flags. */
  public List<String> jvmFlags(Layout layout) {
    List<String> flags = new ArrayList<>(JvmFlags.forHBase());
    flags.addAll(memoryFlags());
    flags.add("-D" + PROPERTY + "=" + id);
    // Without libhadoop, the path is an empty directory. So the JVM cannot load a system-wide
    // installation.
    flags.add(
        "-Djava.library.path=" + (libhadoop ? layout.libhadoopDirectory() : layout.emptyPath()));
    if (ours()) {
      flags.add("-D" + PROVIDER_PROPERTY + "=" + provider);
    }
    return flags;
  }

  /** Fails unless this JVM matches the name of its world. Benchmarks call it in their set-up. */
  public static void confirmCurrent() {
    World world = of(System.getProperty(PROPERTY, JDK.id));
    if (world != JDK) {
      world.confirm(NativeCodeLoader.isNativeCodeLoaded(), patchLoaded());
    }
  }

  private void confirm(boolean nativeLoaded, boolean patchLoaded) {
    confirm("libhadoop %s, it is %s", libhadoop, nativeLoaded);
    confirm("our classes %s, they are %s", ours(), patchLoaded);
  }

  private void confirm(String words, boolean wanted, boolean found) {
    if (wanted != found) {
      String state = String.format(words, onOff(wanted), onOff(found));
      throw new IllegalStateException("world " + id + " wants " + state);
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

  /** Checks this world's jars and unpacks libhadoop if it needs it. */
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
