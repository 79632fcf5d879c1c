package org.fastpath.offheap.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.fastpath.cluster.ForkedJvm;
import org.fastpath.cluster.UpstreamTests;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * HBase's own tests of readers pass with the off-heap reader attached, by the engine of stores or
 * below each file that a test opens. With {@code -Dnightly=true}, which the profile of that name
 * sets, all tests that read HFiles run. Otherwise those run that take seconds.
 *
 * <p>Blocks are in the off-heap cache in debug mode, unless a test requires HBase's caches. Two
 * kinds of methods are left out: those of TestHFile that require an LruBlockCache, and the one of
 * TestFromClientSide5 that also fails without us.
 *
 * <p>Some classes open none of our scanners, but must not notice us either. TestStoreScanner has no
 * files. TestDataBlockEncoders reads encoded blocks without a file. TestScannerWithCorruptHFile has
 * no file that can be opened. TestJoinedScanners and others read memstores.
 */
@DisabledForJreRange(
    min = JRE.JAVA_24,
    disabledReason = "HBase's tests set a SecurityManager, which JDK 24 and later refuse")
class ReaderUpstreamTestsTest {
  private static final String EVERY = ".*";

  /**
   * A test class of HBase.
   *
   * @param attached one of the constants of {@link AttachedTests}
   * @param hbasesCaches whether it uses HBase's caches
   * @param tests the minimum number of its tests
   * @param scanners the minimum number of our scanners that it opens
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

    /** Returns the name; if the class runs in parts, with the part. */
    String simpleName() {
      String simple = name.substring(name.lastIndexOf('.') + 1);
      return methods.startsWith("test")
          ? simple + "-" + methods.replace("^", "not").replaceAll("\\W", "")
          : simple;
    }

    @Override
    public String toString() {
      return simpleName();
    }
  }

  private static Stream<Upstream> quick() {
    return Stream.of(
        Upstream.byFile("io.hfile.TestHFile", 20, 1).only("(?!testBytesReadFromCache).*"),
        Upstream.byFile("io.hfile.TestSeekTo", 20, 5),
        Upstream.byFile("io.hfile.TestReseekTo", 1, 1),
        Upstream.byFile("io.hfile.TestSeekBeforeWithInlineBlocks", 1, 10),
        Upstream.byEngine("regionserver.TestBlocksRead", 4, 100),
        Upstream.byEngine("regionserver.TestBlocksScanned", 1, 1)
            .only("testBlocksScannedWithEncoding"),
        Upstream.byEngine("regionserver.TestScanner", 7, 20),
        Upstream.byEngine("regionserver.TestReversibleScanners", 5, 20));
  }

  private static Stream<Upstream> slow() {
    return Stream.of(
        Upstream.byFile("io.hfile.TestHFileScannerImplReferenceCount", 28, 10).withHBasesCaches(),
        Upstream.byFile("io.hfile.TestHFileSeek", 1, 1),
        Upstream.byFile("io.hfile.TestHFileReaderImpl", 3, 1),
        Upstream.byFile("io.hfile.TestHFileWriterV3", 4, 0),
        Upstream.byFile("io.encoding.TestDataBlockEncoders", 72, 0),
        Upstream.byFile("regionserver.TestHStoreFile", 18, 1),
        Upstream.byEngine("io.hfile.TestScannerFromBucketCache", 3, 1).withHBasesCaches(),
        // The class runs in two parts, because a class has 13 minutes.
        Upstream.byEngine("regionserver.TestHRegion", 60, 100).only("test[A-F].*"),
        Upstream.byEngine("regionserver.TestHRegion", 60, 100).only("test[^A-F].*"),
        Upstream.byEngine("client.TestFromClientSide", 50, 100),
        Upstream.byEngine("client.TestFromClientSide4", 20, 100),
        Upstream.byEngine("client.TestFromClientSide5", 20, 100)
            .only("(?!testNonCachedGetRegionLocation).*"),
        Upstream.byEngine("regionserver.TestScannerHeartbeatMessages", 5, 0),
        Upstream.byEngine("regionserver.TestScannerWithBulkload", 3, 10),
        Upstream.byEngine("regionserver.TestSwitchToStreamRead", 4, 1),
        Upstream.byEngine("regionserver.TestJoinedScanners", 2, 0),
        Upstream.byEngine("TestPartialResultsFromClientSide", 19, 50),
        Upstream.byEngine("TestServerSideScanMetricsFromClientSide", 4, 20),
        Upstream.byEngine("client.TestScannersFromClientSide", 50, 20),
        Upstream.byEngine("client.TestRawAsyncScanCursor", 3, 0),
        Upstream.byEngine("client.TestRawAsyncTableLimitedScanWithFilter", 5, 0),
        Upstream.byEngine("client.TestAvoidCellReferencesIntoShippedBlocks", 2, 1)
            .withHBasesCaches(),
        Upstream.byEngine("client.TestCheckAndMutateWithByteBuff", 2, 1).withHBasesCaches(),
        Upstream.byEngine("client.TestTableSnapshotScanner", 12, 1),
        Upstream.byEngine("filter.TestFuzzyRowFilterEndToEnd", 1, 1),
        Upstream.byEngine("mob.TestMobStoreScanner", 6, 0),
        Upstream.byEngine("regionserver.TestCompactionWithByteBuff", 1, 1).withHBasesCaches(),
        Upstream.byEngine("regionserver.TestIsDeleteFailure", 1, 1),
        Upstream.byEngine("regionserver.TestKeepDeletes", 1, 1),
        Upstream.byEngine("regionserver.TestNewVersionBehaviorFromClientSide", 1, 1),
        Upstream.byEngine("regionserver.TestRegionInterrupt", 2, 0),
        Upstream.byEngine("regionserver.TestStoreScanner", 26, 0),
        Upstream.byEngine("regionserver.TestScannerWithCorruptHFile", 1, 0));
  }

  static Stream<Upstream> tests() {
    return Boolean.getBoolean("nightly") ? Stream.concat(quick(), slow()) : quick();
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @MethodSource("tests")
  void passes(Upstream test) throws Exception {
    ForkedJvm jvm = UpstreamTests.jvm().quickStart();
    if (test.hbasesCaches()) {
      jvm.inFront(hbaseServer());
    }
    ForkedJvm.Result result =
        UpstreamTests.run(
            jvm,
            "reader-" + test.simpleName(),
            AttachedTests.class,
            test.attached(),
            "org.apache.hadoop.hbase." + test.name(),
            test.methods());
    assertThat(UpstreamTests.passed(result))
        .as("%s", result.end())
        .isGreaterThanOrEqualTo(test.tests());
    assertThat(result.lines(AttachedTests.COUNT))
        .singleElement()
        .extracting(line -> Integer.parseInt(line.substring(AttachedTests.COUNT.length())))
        .satisfies(scanners -> assertThat(scanners).isGreaterThanOrEqualTo(test.scanners()));
  }

  /**
   * Returns HBase's jar. Its classes precede ours of the same name, which create the off-heap
   * cache.
   */
  private static Path hbaseServer() throws URISyntaxException {
    return Path.of(HRegion.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
