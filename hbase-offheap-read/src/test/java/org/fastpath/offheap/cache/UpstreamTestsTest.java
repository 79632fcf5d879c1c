package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.fastpath.cluster.ForkedJvm;
import org.fastpath.cluster.UpstreamTests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * HBase's own tests of block caches pass with the off-heap cache in debug mode. Each class has its
 * own JVM and directory. Logs are in {@code target/upstream-runs}.
 *
 * <p>Skipped methods of TestHFile require HBase's LruBlockCache. Skipped methods of TestPrefetch
 * also fail with BucketCache. The parameters of TestCacheOnWrite are the cache, types of blocks,
 * compression, and caching of compressed blocks. Those for our cache with different cached blocks
 * are run. Of TestBlockEvictionFromClient, which counts the readers of blocks while scanners, gets
 * and compactions run: one of each kind.
 */
@DisabledForJreRange(
    min = JRE.JAVA_24,
    disabledReason = "HBase's tests set a SecurityManager, which JDK 24 and later refuse")
class UpstreamTestsTest {
  /**
   * A class of HBase's.
   *
   * @param methods a pattern
   * @param atLeast how many it has at least
   */
  private record Upstream(String name, String methods, int atLeast) {
    String simpleName() {
      return name.substring(name.lastIndexOf('.') + 1);
    }

    @Override
    public String toString() {
      return simpleName();
    }
  }

  static Stream<Upstream> tests() {
    Stream<Upstream> quick =
        Stream.of(
            new Upstream("io.hfile.TestCombinedBlockCache", ".*", 5),
            new Upstream("io.hfile.TestHFile", "(?!testBytesReadFromCache).*", 20),
            new Upstream("io.hfile.TestScannerSelectionUsingKeyRange", ".*", 3));
    Stream<Upstream> slow =
        Stream.of(
            new Upstream(
                "client.TestBlockEvictionFromClient",
                ".*(MultiGets|WithException|ScanWithCompaction|Families)",
                6),
            new Upstream("io.hfile.TestCacheOnWrite", ".*\\[[0348]]", 12),
            new Upstream(
                "io.hfile.TestPrefetch", "(?!testPrefetch$|.*Compressed|.*SkipRefs).*", 6));
    return Boolean.getBoolean("nightly") ? Stream.concat(quick, slow) : quick;
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @MethodSource("tests")
  void passes(Upstream test) throws Exception {
    ForkedJvm.Result result =
        UpstreamTests.run(
            UpstreamTests.jvm().quickStart(),
            test.simpleName(),
            "org.apache.hadoop.hbase." + test.name(),
            test.methods());
    assertThat(UpstreamTests.passed(result))
        .as("%s", result.end())
        .isGreaterThanOrEqualTo(test.atLeast());
    assertThat(result.output()).contains("Off-heap block cache of ");
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void hammersPass() throws Exception {
    ForkedJvm.Result result =
        UpstreamTests.run(UpstreamTests.jvm(), "hammers", UpstreamHammers.class);
    assertThat(result.exitCode()).as("%s", result.end()).isZero();
    assertThat(result.lines("Passed: ")).hasSize(8);
    assertThat(result.lines("Leaks: ")).hasSize(2).allMatch("Leaks: 0"::equals);
  }
}
