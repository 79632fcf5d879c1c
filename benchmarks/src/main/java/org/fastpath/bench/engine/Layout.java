package org.fastpath.bench.engine;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The places of files relative to {@code benchmarks.jar}:
 *
 * <pre>
 * target/benchmarks.jar     this jar, thin; its manifest's Class-Path names lib/*.jar
 * target/lib/               what every world shares: stock HBase, Hadoop, JMH
 * target/fastpath/          our jars, in front of the class path in our worlds and nowhere else
 * target/rivals/            libraries that ours is compared with, where HBase brings an older version
 * target/native/            libhadoop.so, written when a world first wants it
 * </pre>
 *
 * @param base the directory that contains them
 * @param classPath the class path of a JVM that runs benchmarks
 */
public record Layout(Path base, List<Path> classPath) {
  /** The file name of the module's jar without its version, which the build removes on copy. */
  public static final String CHECKSUM_JAR = "hbase-native-checksum.jar";

  /** The name of the metrics module's jar. */
  public static final String METRICS_JAR = "hbase-metrics2-shim.jar";

  /** The name of the block cache module's jar. */
  public static final String OFF_HEAP_JAR = "hbase-offheap-read.jar";

  /** The name of the zero-copy module's jar. */
  public static final String ZCR_JAR = "hdfs-cache-zcr.jar";

  /** The name of the jar of the module for DataNodes with several volumes. */
  public static final String TIERED_JAR = "hdfs-tiered-volume.jar";

  /** The jars of all worlds. */
  public static final List<String> OUR_JARS =
      List.of(CHECKSUM_JAR, METRICS_JAR, OFF_HEAP_JAR, ZCR_JAR);

  /** Returns the layout around the jar, or class directory, from which this class was loaded. */
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
      throw new IllegalStateException("the path of the benchmarks' jar is not a file", e);
    }
  }

  private static List<Path> ownClassPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  /** Returns the directory of stock jars, for daemons of a local cluster. */
  public Path libDirectory() {
    return base.resolve("lib");
  }

  /** Returns one of our jars by its file name; it goes before the stock jars. */
  public Path jar(String name) {
    return base.resolve("fastpath").resolve(name);
  }

  /** Fails unless our jars exist. */
  public void requireJars() {
    for (String name : OUR_JARS) {
      if (!Files.isRegularFile(jar(name))) {
        throw new IllegalStateException(jar(name) + " is missing: build the project first");
      }
    }
  }

  /** Returns the directory of libhadoop.so. */
  Path libhadoopDirectory() {
    return base.resolve("native");
  }

  /** Returns a directory without libraries. */
  Path emptyPath() {
    return base.resolve("fastpath");
  }
}
