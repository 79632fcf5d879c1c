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
 */
public record Layout(Path base, List<Path> classPath) {
  /** File names of the modules' jars. The build removes their versions on copy. */
  public static final String CHECKSUM_JAR = "hbase-native-checksum.jar";

  public static final String METRICS_JAR = "hbase-metrics2-shim.jar";
  public static final String OFF_HEAP_JAR = "hbase-offheap-read.jar";
  public static final String ZCR_JAR = "hdfs-cache-zcr.jar";
  public static final String TIERED_JAR = "hdfs-tiered-volume.jar";

  /** Returns the layout around the jar, or class directory, from which this class was loaded. */
  public static Layout here() {
    Path self;
    try {
      self = Path.of(Layout.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the path of the benchmarks' jar is not a file", e);
    }
    String own = System.getProperty("java.class.path");
    List<Path> classPath =
        Files.isDirectory(self)
            ? Stream.of(own.split(File.pathSeparator)).map(Path::of).toList()
            : List.of(self);
    return new Layout(self.getParent(), classPath);
  }

  public Path libDirectory() {
    return base.resolve("lib");
  }

  /** Returns one of our jars by its file name; it goes before the stock jars. */
  public Path jar(String name) {
    return base.resolve("fastpath").resolve(name);
  }

  /** Fails unless the jars of all worlds exist. */
  public void requireJars() {
    for (String name : List.of(CHECKSUM_JAR, METRICS_JAR, OFF_HEAP_JAR, ZCR_JAR)) {
      if (!Files.isRegularFile(jar(name))) {
        throw new IllegalStateException(jar(name) + " is missing: build the project first");
      }
    }
  }

  Path libhadoopDirectory() {
    return base.resolve("native");
  }
}
