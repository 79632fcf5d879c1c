package org.fastpath.zcr.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.fastpath.cluster.ForkedJvm;
import org.fastpath.common.versions.RunTests;
import org.fastpath.common.versions.ServerJars;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Mapped blocks equal the blocks that later releases of HBase read. The test runs in a JVM with the
 * release's hbase-server first on the class path. If a release is not published where this build
 * looks, the jars of 2.6.4 replace it.
 */
class LaterServersTest {
  @TempDir Path standIns;

  @ParameterizedTest
  @MethodSource("org.fastpath.common.versions.ServerJars#tested")
  void blocksAreWhatHBaseReads(String version) throws Exception {
    ForkedJvm.Result result =
        ForkedJvm.ours()
            .behindOurs(ServerJars.of(version, standIns))
            .withLibhadoop()
            .flag("-Dlibhadoop.path=" + System.getProperty("libhadoop.path"))
            .flag("-Dlog4j.configuration=console-log4j.properties")
            .quickStart()
            .run(
                Path.of("target", "later-servers", version + ".log"),
                RunTests.class.getName(),
                MappedBlocksTest.class.getName(),
                JoinedReaderTest.class.getName());
    assertThat(result.exitCode()).as("%s", result.end()).isZero();
    assertThat(result.lines("INFO GuardedFeature: mapped-blocks: HBase")).hasSize(1);
  }
}
