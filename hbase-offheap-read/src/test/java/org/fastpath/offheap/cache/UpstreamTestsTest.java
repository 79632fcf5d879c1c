package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.fastpath.cluster.ForkedJvm;
import org.fastpath.cluster.UpstreamTests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * HBase's own tests of block caches pass with the off-heap cache in debug mode, each class in a JVM
 * and a directory of its own. Logs are in {@code target/upstream-runs}.
 *
 * <p>Left out are methods that insist on a class of HBase's (of TestHFile, those that want a cache
 * to be an LruBlockCache), and those that fail with HBase's own BucketCache too (of TestPrefetch).
 * Of TestCacheOnWrite, whose parameters are types of blocks, compression, and whether blocks are
 * cached compressed, for HBase's caches too: the ones that are for ours and differ in what is
 * cached. Of TestBlockEvictionFromClient, which counts the readers of blocks while scanners, gets
 * and compactions run: one of each kind.
 */
class UpstreamTestsTest {
  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          client.TestBlockEvictionFromClient         ; .*(MultiGets|WithException|ScanWithCompaction|Families) ; 6
          io.hfile.TestCombinedBlockCache            ; .*                                        ; 5
          io.hfile.TestCacheOnWrite                  ; .*\\[[0348]]                              ; 12
          io.hfile.TestHFile                         ; (?!testBytesReadFromCache).*              ; 20
          io.hfile.TestPrefetch                      ; (?!testPrefetch$|.*Compressed|.*SkipRefs).* ; 6
          io.hfile.TestScannerSelectionUsingKeyRange ; .*                                        ; 3
          """)
  void passes(String test, String methods, int atLeast) throws Exception {
    String name = test.substring(test.lastIndexOf('.') + 1);
    ForkedJvm.Result result =
        UpstreamTests.run(
            UpstreamTests.jvm().quickStart(), name, "org.apache.hadoop.hbase." + test, methods);
    assertThat(UpstreamTests.passed(result))
        .as("see %s", result.log())
        .isGreaterThanOrEqualTo(atLeast);
    assertThat(result.output()).contains("Off-heap block cache of ");
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void hammersPass() throws Exception {
    ForkedJvm.Result result =
        UpstreamTests.run(UpstreamTests.jvm(), "hammers", UpstreamHammers.class);
    assertThat(result.exitCode()).as("see %s", result.log()).isZero();
    assertThat(result.lines("Passed: ")).hasSize(8);
    assertThat(result.lines("Leaks: ")).hasSize(2).allMatch("Leaks: 0"::equals);
  }
}
