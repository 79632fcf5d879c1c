package org.fastpath.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StockClasspathTest {
  @TempDir private Path directory;

  @BeforeEach
  void fill() throws IOException {
    for (String name :
        List.of(
            "hbase-server-2.6.4.jar",
            "hbase-server-2.6.4-tests.jar",
            "hbase-mapreduce-2.6.1-tests.jar",
            "hbase-common-2.6.4-tests.jar",
            "hadoop-hdfs-3.4.2.jar",
            "jmh-core-1.37.jar",
            "junit-4.13.2.jar")) {
      Jars.of(directory.resolve(name), "org/apache/Some.class");
    }
    Jars.of(directory.resolve("patch.jar"), "org/fastpath/Patch.class");
    Files.createDirectory(directory.resolve("classes.jar"));
  }

  @Test
  void takesOnlyWhatIsStock() {
    assertThat(StockClasspath.in(directory).stream().map(jar -> jar.getFileName().toString()))
        .containsExactly(
            "hadoop-hdfs-3.4.2.jar",
            "hbase-mapreduce-2.6.1-tests.jar",
            "hbase-server-2.6.4-tests.jar",
            "hbase-server-2.6.4.jar");
  }

  @Test
  void followsAJarThatOnlyRefersToOthers() throws IOException {
    Path booter = Files.createDirectory(directory.resolve("booter"));
    Jars.referringTo(
        booter.resolve("booter.jar"),
        "../hbase-server-2.6.4.jar ../patch.jar "
            + directory.resolve("hadoop-hdfs-3.4.2.jar").toUri());
    assertThat(StockClasspath.in(booter))
        .containsExactly(
            directory.resolve("hbase-server-2.6.4.jar"),
            directory.resolve("hadoop-hdfs-3.4.2.jar"));
  }

  @Test
  void saysWhatIsMissing() throws IOException {
    Files.delete(directory.resolve("hadoop-hdfs-3.4.2.jar"));
    assertThatThrownBy(() -> StockClasspath.in(directory))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("no hadoop-hdfs-*.jar in " + directory);
  }
}
