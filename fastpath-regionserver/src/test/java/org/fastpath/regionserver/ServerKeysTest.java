package org.fastpath.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import org.apache.hadoop.conf.Configuration;
import org.fastpath.common.FeatureStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the keys that follow from the jars, and their precedence. */
class ServerKeysTest {
  private static final String OTHER = "com.example.Other";
  private static final String REGIONS = "org.apache.hadoop.hbase.regionserver.";

  private final Configuration conf = new Configuration(false);

  @Test
  void oneClassSwitchesEverythingOn() throws ClassNotFoundException {
    assertThat(ServerKeys.prepare(conf)).containsExactly(ServerModule.values());
    assertThat(conf.get(ServerKeys.REGION_IMPL)).isEqualTo(REGIONS + "MeteredRegion");
    assertThat(conf.getBoolean(ServerKeys.READER_ENABLED, false)).isTrue();
    List<String> classes = new ArrayList<>();
    for (String key :
        List.of(
            ServerKeys.REGION_IMPL,
            ServerKeys.FILE_SYSTEM,
            ServerKeys.SERVERS,
            ServerKeys.USER_REGIONS)) {
      classes.addAll(conf.getTrimmedStringCollection(key));
    }
    assertThat(classes).hasSize(8);
    for (String name : classes) {
      Class.forName(name, false, getClass().getClassLoader());
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachJarIsRecognizedByAClassThatItHas(ServerModule module) {
    assertThat(module.isThere()).isTrue();
  }

  @Test
  void twiceIsOnce() {
    ServerKeys.prepare(conf);
    Configuration once = new Configuration(conf);
    ServerKeys.prepare(conf);
    assertThat(conf.getPropsWithPrefix("")).isEqualTo(once.getPropsWithPrefix(""));
  }

  @Test
  void coprocessorsOfOthersStayInFront() {
    conf.set(ServerKeys.SERVERS, OTHER + ", org.fastpath.zcr.pin.CachePinning|1000");
    ServerKeys.prepare(conf);
    assertThat(conf.getTrimmedStrings(ServerKeys.SERVERS))
        .containsExactly(
            OTHER,
            "org.fastpath.zcr.pin.CachePinning|1000",
            "org.fastpath.zcr.warmup.ReadWarmUp",
            "org.fastpath.tiered.regionserver.guard.TierGuard");
  }

  @Test
  void aRegionClassOfOthersStaysAndACoprocessorCounts() {
    conf.set(ServerKeys.REGION_IMPL, OTHER);
    ServerKeys.prepare(conf);
    assertThat(conf.get(ServerKeys.REGION_IMPL)).isEqualTo(OTHER);
    assertThat(conf.get(ServerKeys.ALL_REGIONS))
        .isEqualTo("org.fastpath.metrics.region.RegionMetricsObserver");
  }

  @Test
  void ourTwoRegionClassesAreOne() {
    conf.set(ServerKeys.REGION_IMPL, REGIONS + "OffHeapReadRegion");
    ServerKeys.prepare(conf);
    assertThat(conf.get(ServerKeys.REGION_IMPL)).isEqualTo(REGIONS + "OffHeapReadMeteredRegion");
    assertThat(conf.get(ServerKeys.ALL_REGIONS)).isNull();
  }

  @Test
  void mappedBlocksStandAsideForAFileSystemOfOthers() throws JMException {
    conf.set(ServerKeys.FILE_SYSTEM, OTHER);
    assertThat(ServerKeys.prepare(conf)).contains(ServerModule.ZCR);
    assertThat(conf.get(ServerKeys.FILE_SYSTEM)).isEqualTo(OTHER);
    assertThat(conf.get(ServerKeys.USER_REGIONS)).doesNotContain("MappedBlocks");
    assertThat(conf.get(ServerKeys.SERVERS)).contains("CachePinning");
    assertThat(reason("zero-copy")).startsWith("fs.hdfs.impl is " + OTHER);
  }

  @Test
  void theCacheStandsAsideForBucketCache() throws JMException {
    conf.set(ServerKeys.BUCKET_CACHE, "offheap");
    assertThat(ServerKeys.prepare(conf)).doesNotContain(ServerModule.CACHE, ServerModule.READER);
    assertThat(conf.get(ServerKeys.READER_ENABLED)).isNull();
    assertThat(reason("cache")).startsWith("hbase.bucketcache.ioengine is offheap");
    assertThat(reason("offheap-reader")).startsWith("hbase.bucketcache.ioengine is offheap");
  }

  @Test
  void someModulesAreSomeKeys() throws JMException {
    conf.set(ServerModule.KEY, "metrics, tiers");
    assertThat(ServerKeys.prepare(conf)).containsExactly(ServerModule.METRICS, ServerModule.TIERS);
    assertThat(conf.get(ServerKeys.FILE_SYSTEM)).isNull();
    assertThat(reason("pinning")).isEqualTo("hbase.fastpath.modules leaves zcr out");
  }

  @Test
  void aWrongModuleIsNamed() {
    conf.set(ServerModule.KEY, "cache,everything");
    assertThatThrownBy(() -> ServerKeys.prepare(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "hbase.fastpath.modules is cache,everything, allowed is all or a list of checksum,"
                + " metrics, cache, reader, zcr, volumes, tiers");
  }

  @Test
  void aJarThatIsNotThereIsSaidToBe() throws JMException {
    assertThat(ServerKeys.prepare(conf, module -> module == ServerModule.METRICS))
        .containsExactly(ServerModule.METRICS);
    assertThat(conf.get(ServerKeys.SERVERS)).isNull();
    assertThat(reason("tier-guard")).isEqualTo("hdfs-tiered-volume.jar is not on the class path");
  }

  private static String reason(String feature) throws JMException {
    return (String)
        ManagementFactory.getPlatformMBeanServer()
            .getAttribute(FeatureStatus.name(feature), "Reason");
  }
}
