package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.fastpath.cluster.ForkedJvm;
import org.fastpath.cluster.UpstreamTests;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hadoop's own tests of reads and of centralized caching pass with our file system for HDFS. Each
 * class has its own JVM and directory. Logs are in {@code target/upstream-runs}. With {@code
 * -Dnightly=true}, as in the profile of that name, all; else those that take seconds.
 *
 * <p>Tests that read by TCP show that we do not stand in the way. Of them, those whose reads can
 * come from mappings are run a second time, with local replicas and no checksums.
 * TestCacheDirectives, TestFsDatasetCache and TestDFSInputStream read nothing by a file system:
 * they are here because they must not notice us.
 *
 * <p>Left out are, by their nature:
 *
 * <ul>
 *   <li>testZeroCopyMmapCache, which expects no mapping right after the release of the last slice:
 *       ours stay until they are idle.
 *   <li>test2GBMmapLimit, which skips itself unless it may write five gigabytes.
 *   <li>testInterruptReader with local replicas: its DataNode never hands its replica out, and who
 *       waits for a descriptor cannot be interrupted, in stock HDFS neither.
 *   <li>Of TestPread with local replicas, the methods that compare reads with the statistics of the
 *       stock stream, which has not read anything. Also those that open streams of a DFSClient,
 *       which never use our stream.
 * </ul>
 */
class UpstreamTestsTest {
  private static final String EVERY = ".*";
  private static final boolean NIGHTLY = Boolean.getBoolean("nightly");

  /**
   * A class of Hadoop's.
   *
   * @param configured one of {@link ReadByMappings}'
   * @param tests how many it has at least
   * @param reads how many reads of its go to our streams at least
   * @param mapped how many of these are from mappings at least
   */
  private record Upstream(
      String name, String configured, String methods, int tests, int reads, int mapped) {
    static Upstream verbatim(String name, int tests) {
      return new Upstream(name, ReadByMappings.AS_IT_IS, EVERY, tests, 0, 0);
    }

    static Upstream local(String name, int tests) {
      return new Upstream(name, ReadByMappings.LOCAL, EVERY, tests, 0, 0);
    }

    Upstream without(String... left) {
      String pattern = "(?!(" + String.join("|", left) + ")$).*";
      return new Upstream(name, configured, pattern, tests, reads, mapped);
    }

    Upstream only(String... taken) {
      return new Upstream(name, configured, String.join("|", taken), tests, reads, mapped);
    }

    Upstream reading(int atLeast, int fromMappings) {
      return new Upstream(name, configured, methods, tests, atLeast, fromMappings);
    }

    @Override
    public String toString() {
      return name.substring(name.lastIndexOf('.') + 1) + "-" + configured;
    }
  }

  private static Stream<Upstream> quick() {
    return Stream.of(
        Upstream.verbatim("fs.TestEnhancedByteBufferAccess", 8)
            .without("testZeroCopyMmapCache", "test2GBMmapLimit")
            .reading(35, 35),
        Upstream.local("hdfs.TestByteBufferPread", 2).reading(80, 80));
  }

  private static Stream<Upstream> slow() {
    return Stream.of(
        Upstream.verbatim("hdfs.server.namenode.TestCacheDirectives", 16),
        Upstream.verbatim("hdfs.server.datanode.fsdataset.impl.TestFsDatasetCache", 8),
        Upstream.verbatim("hdfs.TestPread", 11),
        Upstream.verbatim("hdfs.shortcircuit.TestShortCircuitLocalRead", 11).reading(150, 80),
        Upstream.local("hdfs.TestRead", 3).without("testInterruptReader").reading(2, 2),
        Upstream.local("hdfs.TestPread", 2)
            .only("testPreadDFSSimulated", "testTruncateWhileReading")
            .reading(40, 0),
        Upstream.verbatim("hdfs.shortcircuit.TestShortCircuitCache", 17).reading(20, 0),
        Upstream.verbatim("hdfs.TestDFSInputStream", 8),
        Upstream.verbatim("hdfs.server.namenode.TestFileTruncate", 24),
        Upstream.verbatim("hdfs.server.blockmanagement.TestBlockTokenWithShortCircuitRead", 1),
        Upstream.verbatim("hdfs.TestLocatedBlocksRefresher", 3),
        Upstream.verbatim("hdfs.TestByteBufferPread", 2),
        Upstream.verbatim("hdfs.TestRead", 4));
  }

  static Stream<Upstream> tests() {
    return NIGHTLY ? Stream.concat(slow(), quick()) : quick();
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @MethodSource("tests")
  void passes(Upstream test) throws Exception {
    ForkedJvm.Result result =
        UpstreamTests.run(
            UpstreamTests.jvm().withLibhadoop().quickStart(),
            test.toString(),
            ReadByMappings.class,
            test.configured(),
            "org.apache.hadoop." + test.name(),
            test.methods());
    assertThat(UpstreamTests.passed(result))
        .as("%s", result.end())
        .isGreaterThanOrEqualTo(test.tests());
    assertThat(UpstreamTests.skippedSome(result)).as("%s", result.end()).isFalse();
    assertThat(count(result, ReadByMappings.OPERATIONS)).isPositive();
    int mapped = count(result, ReadByMappings.MAPPED);
    assertThat(mapped).isGreaterThanOrEqualTo(test.mapped());
    assertThat(mapped + count(result, ReadByMappings.STOCK)).isGreaterThanOrEqualTo(test.reads());
  }

  private static int count(ForkedJvm.Result result, String what) {
    String line = result.lines(what).get(0);
    return Integer.parseInt(line.substring(what.length()));
  }
}
