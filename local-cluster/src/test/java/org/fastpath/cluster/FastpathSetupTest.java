package org.fastpath.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the jars and keys of each daemon. */
class FastpathSetupTest {
  private static final FastpathSizes SIZES = new FastpathSizes(100, 200, 300);

  @TempDir private Path directory;

  @Test
  void modulesAreNamedAsPeopleNameThem() {
    assertThat(Modules.parse("all")).isEqualTo(Modules.ALL);
    assertThat(Modules.parse("cache, ZCR")).containsExactly(Modules.CACHE, Modules.ZCR);
    assertThatThrownBy(() -> Modules.parse("cache,everything"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'everything'")
        .hasMessageContaining("checksum, metrics, cache, reader, zcr, volumes, tiers");
  }

  @Test
  void aDaemonHasTheJarsOfItsModulesOnce() throws IOException {
    FastpathSetup all = FastpathSetup.of(Modules.ALL, jars("-0.2.0"), SIZES);
    assertThat(names(all.jars(Role.REGIONSERVER)))
        .containsExactly(
            "fastpath-regionserver-0.2.0.jar",
            "hbase-native-checksum-0.2.0.jar",
            "hbase-metrics2-shim-0.2.0.jar",
            "hbase-offheap-read-0.2.0.jar",
            "hdfs-cache-zcr-0.2.0.jar",
            "hdfs-tiered-volume-0.2.0.jar");
    assertThat(names(all.jars(Role.DATANODE)))
        .containsExactly("hbase-native-checksum-0.2.0.jar", "hdfs-tiered-volume-0.2.0.jar");
    assertThat(all.jars(Role.ZOOKEEPER)).isEmpty();
  }

  @Test
  void aRegionServerIsToldItsModulesAndSizes() throws IOException {
    FastpathSetup all = FastpathSetup.of(Modules.ALL, jars(""), SIZES);
    assertThat(all.conf(Role.REGIONSERVER))
        .containsEntry("hbase.fastpath.modules", "checksum,metrics,cache,reader,zcr,volumes,tiers")
        .containsEntry("hbase.fastpath.offheap-cache.size", "100")
        .containsEntry("hbase.fastpath.hdfs-cache.limit", "300");
    assertThat(all.jvmFlags(Role.REGIONSERVER)).hasSize(1);
    assertThat(all.conf(Role.DATANODE))
        .containsEntry("dfs.datanode.max.locked.memory", "200")
        // A DataNode's default is 10 s, after which the NameNode knows of a cached block.
        .containsEntry("dfs.cachereport.intervalMsec", "200");
    FastpathSetup volumes = FastpathSetup.of(Set.of(Modules.VOLUMES), directory, SIZES);
    assertThat(volumes.conf(Role.REGIONSERVER)).isEmpty();
    assertThat(volumes.jars(Role.REGIONSERVER)).isEmpty();
  }

  @Test
  void whatTheCallerSetsGoesFirst() throws IOException {
    ClusterBuilder builder =
        LocalCluster.builder()
            .fastpath(Modules.CACHE)
            .fastpathJars(jars(""))
            .fastpathSizes(SIZES)
            .conf("hbase.fastpath.offheap-cache.size", "1");
    builder.setUpFastpath();
    ClusterLayout layout = new ClusterLayout(directory);
    ClusterConfiguration configuration =
        new ClusterConfiguration(builder, layout, new Ports(layout.ports()));
    DaemonOptions options = builder.options(Role.REGIONSERVER, 0);
    assertThat(names(options.classpath()))
        .containsExactly("fastpath-regionserver.jar", "hbase-offheap-read.jar");
    assertThat(configuration.daemon(Role.REGIONSERVER, 0, "regionserver-0", options))
        .containsEntry("hbase.fastpath.offheap-cache.size", "1")
        .containsEntry("hbase.regionserver.impl", "org.fastpath.regionserver.FastpathRegionServer");
  }

  @Test
  void aMissingJarIsNamed() throws IOException {
    assertThatThrownBy(() -> FastpathSetup.of(Modules.ALL, directory, SIZES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("has no hbase-native-checksum.jar");
    jars("");
    jars("-0.2.0");
    assertThatThrownBy(() -> FastpathSetup.of(Set.of(Modules.ZCR), directory, SIZES))
        .hasMessageContaining("more than one hdfs-cache-zcr.jar");
  }

  @Test
  void sizesArePartsOfWhatIsAvailable() {
    FastpathSizes sizes = FastpathSizes.of(16L << 30, 2, 1);
    assertThat(sizes.cacheBytes()).isEqualTo(1L << 30);
    assertThat(sizes.lockedBytes()).isEqualTo(2L << 30);
    assertThat(FastpathSizes.of(1, 3, 3)).extracting("cacheBytes").isEqualTo(64L << 20);
  }

  private Path jars(String version) throws IOException {
    Files.createFile(directory.resolve("fastpath-regionserver" + version + ".jar"));
    for (Modules module : Modules.values()) {
      Path jar = directory.resolve(module.artifact() + version + ".jar");
      if (!Files.exists(jar)) {
        Files.createFile(jar);
        Files.createFile(
            directory.resolve(module.artifact() + version + "-sources" + module + ".jar"));
      }
    }
    return directory;
  }

  private static List<String> names(List<Path> jars) {
    return jars.stream().map(jar -> jar.getFileName().toString()).toList();
  }
}
