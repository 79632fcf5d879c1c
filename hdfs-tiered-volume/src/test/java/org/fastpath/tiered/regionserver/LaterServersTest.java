package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.fastpath.cluster.ForkedJvm;
import org.fastpath.common.versions.RunTests;
import org.fastpath.common.versions.ServerJars;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Regions of later releases of HBase follow rules for tiers. In a JVM with the release's
 * hbase-server in front.
 */
class LaterServersTest {
  @TempDir Path standIns;

  @ParameterizedTest
  @MethodSource("org.fastpath.common.versions.ServerJars#tested")
  void regionsFollowRules(String version) throws Exception {
    ForkedJvm.Result result =
        ForkedJvm.ours()
            .behindOurs(ServerJars.of(version, standIns))
            .flag("-Dlog4j.configuration=console-log4j.properties")
            .quickStart()
            .run(
                Path.of("target", "later-servers", version + ".log"),
                RunTests.class.getName(),
                TieredRegionTest.class.getName(),
                PlacingFileSystemTest.class.getName());
    assertThat(result.exitCode()).as("%s", result.end()).isZero();
    assertThat(result.lines("INFO GuardedFeature: tier-rules: HBase")).hasSize(1);
  }
}
