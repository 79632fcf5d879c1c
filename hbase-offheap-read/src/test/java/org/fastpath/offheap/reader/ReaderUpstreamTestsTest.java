package org.fastpath.offheap.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.fastpath.cluster.ForkedJvm;
import org.fastpath.cluster.UpstreamTests;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * HBase's own tests of readers pass with the off-heap reader attached, two classes at a time: by
 * the engine of stores, or below each file that a test opens itself. In the profile {@code nightly}
 * all that read HFiles; else those that take seconds.
 *
 * <p>Blocks are in the off-heap cache in debug mode, except where a test insists on HBase's caches.
 * Left out are the methods of TestHFile that want a cache to be an LruBlockCache. A class of which
 * no scanner is ours by its nature (TestStoreScanner has no files, TestDataBlockEncoders reads
 * encoded blocks by themselves) is here because it must not notice us.
 */
class ReaderUpstreamTestsTest {
  private static final boolean ALL = Boolean.getBoolean("nightly");
  private static final String EVERY = ".*";

  /**
   * A class of HBase's.
   *
   * @param attached one of {@link AttachedTests}'
   * @param hbasesCaches whether it has HBase's caches
   * @param tests how many it has at least
   * @param scanners how many scanners of ours it opens at least
   */
  private record Upstream(
      String name, String attached, boolean hbasesCaches, String methods, int tests, int scanners) {
    static Upstream byFile(String name, int tests, int scanners) {
      return new Upstream(name, AttachedTests.BY_FILE, false, EVERY, tests, scanners);
    }

    static Upstream byEngine(String name, int tests, int scanners) {
      return new Upstream(name, AttachedTests.BY_ENGINE, false, EVERY, tests, scanners);
    }

    Upstream only(String pattern) {
      return new Upstream(name, attached, hbasesCaches, pattern, tests, scanners);
    }

    Upstream withHBasesCaches() {
      return new Upstream(name, attached, true, methods, tests, scanners);
    }

    ForkedJvm.Result run() throws Exception {
      String simple = name.substring(name.lastIndexOf('.') + 1);
      ForkedJvm jvm = UpstreamTests.jvm().quickStart();
      return UpstreamTests.run(
          hbasesCaches ? jvm.inFront(hbaseServer()) : jvm,
          "reader-" + simple,
          AttachedTests.class,
          attached,
          "org.apache.hadoop.hbase." + name,
          methods);
    }

    private static Path hbaseServer() throws Exception {
      return Path.of(HRegion.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    void check(ForkedJvm.Result result) {
      assertThat(UpstreamTests.passed(result))
          .as("see %s", result.log())
          .isGreaterThanOrEqualTo(tests);
      assertThat(result.lines(AttachedTests.COUNT))
          .singleElement()
          .extracting(line -> Integer.parseInt(line.substring(AttachedTests.COUNT.length())))
          .satisfies(count -> assertThat(count).isGreaterThanOrEqualTo(scanners));
    }
  }

  private static Stream<Upstream> quick() {
    return Stream.of(
        Upstream.byFile("io.hfile.TestHFile", 20, 1).only("(?!testBytesReadFromCache).*"),
        Upstream.byFile("io.hfile.TestSeekTo", 20, 5),
        Upstream.byFile("io.hfile.TestReseekTo", 1, 1),
        Upstream.byFile("io.hfile.TestHFileSeek", 1, 1),
        Upstream.byEngine("regionserver.TestBlocksRead", 4, 10),
        Upstream.byEngine("regionserver.TestScannerWithCorruptHFile", 1, 0));
  }

  private static Stream<Upstream> slow() {
    return Stream.of(
        Upstream.byFile("io.hfile.TestSeekBeforeWithInlineBlocks", 1, 1),
        Upstream.byFile("io.hfile.TestHFileScannerImplReferenceCount", 28, 10).withHBasesCaches(),
        Upstream.byFile("io.hfile.TestHFileReaderImpl", 3, 1),
        Upstream.byFile("io.encoding.TestDataBlockEncoders", 72, 0));
  }

  private static Stream<Upstream> classes() {
    return ALL ? Stream.concat(quick(), slow()) : quick();
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @MethodSource("classes")
  void passes(Upstream test) throws Exception {
    test.check(test.run());
  }
}
