package org.fastpath.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import org.fastpath.cluster.ForkedJvm;
import org.fastpath.cluster.UpstreamTests;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * HBase's and Hadoop's own tests of checksums and HFile blocks pass with our classes in front, each
 * class in a JVM and a directory of its own. Logs are in {@code target/upstream-runs}.
 *
 * <p>TestHFileBlock reads concurrently for twenty seconds with each of its eight parameters, half
 * of which read into buffers on the heap and half off it, as checksums are computed in different
 * ways. The others, MVCC numbers and tags, make no difference to checksums: it is run with one of
 * each half, and with all in the profile {@code nightly}.
 */
class UpstreamTestsTest {
  private static final String BLOCK_METHODS =
      Boolean.getBoolean("nightly")
          ? ".*"
          : "(?!testConcurrentReading).*|testConcurrentReading\\[[07]]";

  /**
   * On a busy machine those with a BucketCache fail by a race of HBase's own: it is shut down while
   * it still writes, and releases a block twice.
   */
  private static final String FILE_METHODS = "(?!testReaderWith.*CombinedBlockCache).*";

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @CsvSource({
    "org.apache.hadoop.hbase.io.hfile.TestHFileBlock, true, auto, 58",
    "org.apache.hadoop.util.TestDataChecksum, true, auto, 5",
    "org.apache.hadoop.util.TestDataChecksum, false, auto, 5",
    "org.apache.hadoop.util.TestNativeCrc32, true, jdk, 22",
    "org.apache.hadoop.util.TestNativeCrc32, true, hadoop-native, 22",
    "org.apache.hadoop.hbase.io.hfile.TestChecksum, true, auto, 4",
    "org.apache.hadoop.hbase.io.hfile.TestChecksum, true, hadoop-native, 4",
    "org.apache.hadoop.hbase.io.hfile.TestChecksum, false, auto, 4",
    "org.apache.hadoop.hbase.io.hfile.TestHFile, true, auto, 19",
    "org.apache.hadoop.hbase.io.hfile.TestHFileWriterV3, true, auto, 4",
    "org.apache.hadoop.hbase.io.hfile.TestHFileEncryption, true, auto, 3",
    "org.apache.hadoop.hbase.io.hfile.TestFixedFileTrailer, true, auto, 8",
  })
  void passes(String test, boolean libhadoop, String provider, int atLeast) throws Exception {
    String simpleName = test.substring(test.lastIndexOf('.') + 1);
    ForkedJvm jvm = UpstreamTests.jvm().flag("-D" + ChecksumProvider.KEY + "=" + provider);
    ForkedJvm.Result result =
        UpstreamTests.run(
            libhadoop ? jvm.withLibhadoop() : jvm,
            simpleName + "-" + libhadoop + "-" + provider,
            test,
            methods(simpleName));
    assertThat(UpstreamTests.passed(result))
        .as("see %s", result.log())
        .isGreaterThanOrEqualTo(atLeast);
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
