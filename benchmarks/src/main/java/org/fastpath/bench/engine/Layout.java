package org.fastpath.bench.engine;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where things lie relative to {@code benchmarks.jar}:
 *
 * <pre>
 * target/benchmarks.jar     this jar, thin; its manifest's Class-Path names lib/*.jar
 * target/lib/               what every world shares: stock HBase, Hadoop, JMH
 * target/fastpath/          our jars, in front of the class path in our worlds and nowhere else
 * target/rivals/            libraries that ours is compared with, where HBase brings an older version
 * target/native/            libhadoop.so, written when a world first wants it
 * </pre>
 *
 * @param base the directory that holds them
 * @param classPath what a JVM needs on its class path to run benchmarks
 */
public record Layout(Path base, List<Path> classPath) {
  /**
   * File name of the module's jar without its version, which the build strips when it copies it.
   */
  public static final String CHECKSUM_JAR = "hbase-native-checksum.jar";

  /** The same of the metrics module. */
  public static final String METRICS_JAR = "hbase-metrics2-shim.jar";

  /** The same of the block cache's module. */
  public static final String OFF_HEAP_JAR = "hbase-offheap-read.jar";

  /** The same of the zero-copy reads' module. */
  public static final String ZCR_JAR = "hdfs-cache-zcr.jar";

  /** The same of the module for DataNodes with several volumes. */
  public static final String TIERED_JAR = "hdfs-tiered-volume.jar";

  /** All of them. */
  public static final List<String> OUR_JARS =
      List.of(CHECKSUM_JAR, METRICS_JAR, OFF_HEAP_JAR, ZCR_JAR);

  /** The layout around the jar, or class directory, that this class was loaded from. */
  public static Layout here() {
    Path self = location();
    return Files.isDirectory(self)
        ? new Layout(self.getParent(), ownClassPath())
        : new Layout(self.getParent(), List.of(self));
  }

  private static Path location() {
    try {
      return Path.of(Layout.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the benchmarks' own jar has no file name", e);
    }
  }

  private static List<Path> ownClassPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  /** The stock jars, for daemons of a local cluster. */
  public Path libDirectory() {
    return base.resolve("lib");
  }

  /** One of our jars, by its file name; it goes in front of them. */
  public Path jar(String name) {
    return base.resolve("fastpath").resolve(name);
  }

  /** Fails unless our jars are there. */
  public void requireJars() {
    for (String name : OUR_JARS) {
      if (!Files.isRegularFile(jar(name))) {
        throw new IllegalStateException(jar(name) + " is missing: build the project first");
      }
    }
  }

  /** Where libhadoop.so goes. */
  Path libhadoopDirectory() {
    return base.resolve("native");
  }

  /** A directory without libraries. */
  Path emptyPath() {
    return base.resolve("fastpath");
  }
}
