package org.fastpath.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fastpath.cluster.ForkedJvm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * HBase's and Hadoop's own tests of checksums and HFile blocks pass with our classes in front, each
 * in a JVM and a directory of its own. Logs are in {@code target/upstream-runs}.
 */
class UpstreamTestsTest {
  private static final Path RUNS = Path.of("target", "upstream-runs").toAbsolutePath();
  private static final Pattern OK = Pattern.compile("OK \\((\\d+) tests?\\)");

  @ParameterizedTest
  @CsvSource({
    "org.apache.hadoop.util.TestNativeCrc32, true, jdk, 22",
    "org.apache.hadoop.util.TestNativeCrc32, true, hadoop-native, 22",
    "org.apache.hadoop.util.TestDataChecksum, true, auto, 5",
    "org.apache.hadoop.util.TestDataChecksum, false, auto, 5",
    "org.apache.hadoop.hbase.io.hfile.TestChecksum, true, auto, 4",
    "org.apache.hadoop.hbase.io.hfile.TestChecksum, true, hadoop-native, 4",
    "org.apache.hadoop.hbase.io.hfile.TestChecksum, false, auto, 4",
    "org.apache.hadoop.hbase.io.hfile.TestHFileBlock, true, auto, 64",
    "org.apache.hadoop.hbase.io.hfile.TestHFile, true, auto, 23",
    "org.apache.hadoop.hbase.io.hfile.TestHFileWriterV3, true, auto, 4",
    "org.apache.hadoop.hbase.io.hfile.TestHFileEncryption, true, auto, 3",
    "org.apache.hadoop.hbase.io.hfile.TestFixedFileTrailer, true, auto, 8",
  })
  void passes(String test, boolean libhadoop, String provider, int atLeast) throws Exception {
    String name = test.substring(test.lastIndexOf('.') + 1) + "-" + libhadoop + "-" + provider;
    ForkedJvm jvm =
        ForkedJvm.ours()
            .behindOurs(upstreamTests())
            .flag("-D" + ChecksumProvider.KEY + "=" + provider)
            .flag("-Dlog4j.configuration=console-log4j.properties")
            .flag("-ea");
    for (String open : List.of("io", "net", "util.regex", "util.zip")) {
      jvm.flag("--add-opens=java.base/java." + open + "=ALL-UNNAMED");
    }
    ForkedJvm.Result result =
        (libhadoop ? jvm.withLibhadoop() : jvm)
            .run(
                RUNS.resolve(name + ".log"),
                RUNS.resolve(name),
                "org.junit.runner.JUnitCore",
                test);
    Matcher ok = OK.matcher(result.output());
    assertThat(ok.find()).as("see %s", result.log()).isTrue();
    assertThat(result.exitCode()).isZero();
    assertThat(Integer.parseInt(ok.group(1))).isGreaterThanOrEqualTo(atLeast);
    assertThat(result.output()).contains("Checksums: CRC32 by ");
  }

  private static List<Path> upstreamTests() throws IOException {
    try (Stream<Path> jars = Files.list(Path.of("target", "upstream-tests").toAbsolutePath())) {
      return jars.sorted().toList();
    }
  }
}
