package org.fastpath.zcr.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.fastpath.cluster.ForkedJvm;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Blocks over mappings are what later releases of HBase read. In a JVM with the release's
 * hbase-server in front; the jars of 2.6.4 stand in for those that are not published where this
 * build looks.
 */
class LaterServersTest {
  private static final Path UPSTREAM = Path.of("..", "fastpath-common", "target", "upstream");
  private static final String PRIMARY = "hbase-server-2.6.4-hadoop3.jar";

  /** Is built against Hadoop 2 in the published jar, and against Hadoop 3 in the one in use. */
  private static final String HADOOP_3 = "org/apache/hadoop/hbase/io/FSDataInputStreamWrapper";

  @TempDir Path standIns;

  @ParameterizedTest
  @ValueSource(strings = {"2.6.5", "2.6.6"})
  void blocksAreWhatHBaseReads(String version) throws Exception {
    ForkedJvm.Result result =
        ForkedJvm.ours()
            .behindOurs(jars(version))
            .withLibhadoop()
            .flag("-Dlibhadoop.path=" + System.getProperty("libhadoop.path"))
            .flag("-Dlog4j.configuration=console-log4j.properties")
            .quickStart()
            .run(Path.of("target", "later-servers", version + ".log"), Run.class.getName());
    assertThat(result.exitCode()).as("see %s", result.log()).isZero();
    assertThat(result.lines("INFO GuardedFeature: mapped-blocks: HBase")).hasSize(1);
    assertThat(result.lines(Run.PASSED)).containsExactly(Run.PASSED + "8");
  }

  private List<Path> jars(String version) throws IOException {
    try (JarFile jar = new JarFile(UPSTREAM.resolve(PRIMARY).toFile())) {
      for (JarEntry entry :
          jar.stream().filter(each -> each.getName().startsWith(HADOOP_3)).toList()) {
        Path file = standIns.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        try (InputStream in = jar.getInputStream(entry)) {
          Files.copy(in, file);
        }
      }
    }
    List<Path> paths = new ArrayList<>(List.of(standIns));
    try (Stream<Path> files = Files.list(UPSTREAM)) {
      files
          .filter(file -> file.toString().endsWith("-" + version + ".jar"))
          .map(Path::toAbsolutePath)
          .forEach(paths::add);
    }
    return paths;
  }

  /** The program: runs the tests of mapped blocks, and says how many passed. */
  static final class Run {
    static final String PASSED = "PASSED ";

    private Run() {}

    public static void main(String[] args) {
      SummaryGeneratingListener listener = new SummaryGeneratingListener();
      LauncherFactory.create()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(selectClass(MappedBlocksTest.class))
                  .build(),
              listener);
      listener.getSummary().printFailuresTo(new PrintWriter(System.out, true));
      System.out.println(PASSED + listener.getSummary().getTestsSucceededCount());
      System.exit(listener.getSummary().getTotalFailureCount() == 0 ? 0 : 1);
    }
  }
}
