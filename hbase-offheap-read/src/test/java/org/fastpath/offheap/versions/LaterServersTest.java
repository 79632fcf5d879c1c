package org.fastpath.offheap.versions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.fastpath.cluster.ForkedJvm;
import org.fastpath.common.versions.RunTests;
import org.fastpath.common.versions.ServerJars;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * With later releases of HBase, the off-heap reader, lean scans and the cache return the same
 * results as HBase. The tests use regions, stores and files. They run in a JVM with the release's
 * hbase-server first on the class path.
 */
class LaterServersTest {
  private static final String REGIONS = "org.apache.hadoop.hbase.regionserver.";
  private static final String READER = "org.fastpath.offheap.reader.";
  private static final String CACHE = "org.fastpath.offheap.cache.";
  private static final String[] TESTS = {
    REGIONS + "OffHeapReaderStoreEngineTest",
    REGIONS + "LeanScansTest",
    REGIONS + "HalfFileScannerTest",
    REGIONS + "InlineReadTest",
    REGIONS + "ScanLimitsTest",
    REGIONS + "OffHeapStoreFileStreamsTest",
    READER + "ScannerEquivalenceTest",
    CACHE + "OffHeapBlockCacheTest",
    CACHE + "OffHeapCombinedBlockCacheTest",
  };

  @TempDir Path standIns;

  @ParameterizedTest
  @MethodSource("org.fastpath.common.versions.ServerJars#tested")
  void regionsReadAsHBaseDoes(String version) throws Exception {
    ForkedJvm.Result result =
        ForkedJvm.ours()
            .behindOurs(ServerJars.of(version, standIns))
            .flag("-Dlog4j.configuration=console-log4j.properties")
            .flag("-Dequivalence.operations=20000")
            .flag("-Dfastpath.scan-operations=8000")
            .quickStart()
            .run(
                Path.of("target", "later-servers", version + ".log"),
                RunTests.class.getName(),
                TESTS);
    assertThat(result.exitCode()).as("%s", result.end()).isZero();
    assertThat(result.lines("INFO GuardedFeature: offheap-reader: HBase"))
        .singleElement()
        .asString()
        .contains("has the verified code");
  }
}
