package org.fastpath.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.fastpath.cluster.ForkedJvm;
import org.fastpath.cluster.UpstreamTests;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * HBase's and Hadoop's own tests of checksums and HFile blocks pass with our classes in front. Each
 * class has its own JVM and directory. Logs are in {@code target/upstream-runs}.
 *
 * <p>TestHFileBlock reads concurrently for twenty seconds with each of its eight parameters, half
 * of which read into buffers on the heap and half off it. The other parameters, MVCC numbers and
 * tags, make no difference to checksums. A build runs one parameter off the heap, where blocks are
 * in parts. The profile {@code nightly} runs all.
 */
@DisabledForJreRange(
    min = JRE.JAVA_24,
    disabledReason = "HBase's tests set a SecurityManager, which JDK 24 and later refuse")
class UpstreamTestsTest {
  private static final boolean NIGHTLY = Boolean.getBoolean("nightly");

  private static final String BLOCK_METHODS =
      NIGHTLY ? ".*" : "(?!testConcurrentReading).*|testConcurrentReading\\[3]";

  /**
   * On a busy machine, tests with a BucketCache fail by a race in HBase: a shut-down during writes
   * releases a block twice.
   */
  private static final String FILE_METHODS = "(?!testReaderWith.*CombinedBlockCache).*";

  /**
   * A class of HBase's or Hadoop's.
   *
   * @param libhadoop whether there is one
   * @param provider of checksums
   * @param atLeast how many tests it has at least
   */
  private record Upstream(String name, boolean libhadoop, String provider, int atLeast) {
    String simpleName() {
      return name.substring(name.lastIndexOf('.') + 1);
    }

    @Override
    public String toString() {
      return simpleName() + "-" + libhadoop + "-" + provider;
    }
  }

  static Stream<Upstream> tests() {
    Stream<Upstream> quick =
        Stream.of(
            new Upstream("hbase.io.hfile.TestHFileBlock", true, "auto", 57),
            new Upstream("util.TestDataChecksum", true, "auto", 5),
            new Upstream("util.TestNativeCrc32", true, "jdk", 22),
            new Upstream("util.TestNativeCrc32", true, "hadoop-native", 22),
            new Upstream("hbase.io.hfile.TestChecksum", true, "auto", 4),
            new Upstream("hbase.io.hfile.TestChecksum", true, "hadoop-native", 4),
            new Upstream("hbase.io.hfile.TestChecksum", false, "auto", 4),
            new Upstream("hbase.io.hfile.TestHFile", true, "auto", 19),
            new Upstream("hbase.io.hfile.TestHFileWriterV3", true, "auto", 4),
            new Upstream("hbase.io.hfile.TestHFileEncryption", true, "auto", 3),
            new Upstream("hbase.io.hfile.TestFixedFileTrailer", true, "auto", 8));
    Stream<Upstream> slow = Stream.of(new Upstream("util.TestDataChecksum", false, "auto", 5));
    return NIGHTLY ? Stream.concat(quick, slow) : quick;
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @MethodSource("tests")
  void passes(Upstream test) throws Exception {
    ForkedJvm jvm = UpstreamTests.jvm().flag("-D" + ChecksumProvider.KEY + "=" + test.provider());
    ForkedJvm.Result result =
        UpstreamTests.run(
            test.libhadoop() ? jvm.withLibhadoop() : jvm,
            test.toString(),
            "org.apache.hadoop." + test.name(),
            methods(test.simpleName()));
    assertThat(UpstreamTests.passed(result))
        .as("%s", result.end())
        .isGreaterThanOrEqualTo(test.atLeast());
    assertThat(result.output()).contains("Checksums: CRC32 by ");
  }

  private static String methods(String simpleName) {
    return switch (simpleName) {
      case "TestHFileBlock" -> BLOCK_METHODS;
      case "TestHFile" -> FILE_METHODS;
      default -> ".*";
    };
  }
}
