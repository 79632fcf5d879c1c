package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hbase.regionserver.OffHeapCacheRegionServer;
import org.fastpath.cluster.ForkedJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the error of HBase's own main class for a configuration without a possible cache. It comes
 * first, so the test needs no cluster.
 */
class RegionServerStartTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          hbase.fastpath.offheap-cache.size            | 0       | is 0, allowed is a number of bytes
          hbase.fastpath.offheap-cache.size            | -1      | is -1, allowed is a number of bytes
          hbase.fastpath.offheap-cache.size            | much    | is much, allowed is a number of bytes
          hbase.fastpath.offheap-cache.size            | 65t     | is 65t, allowed is a number of bytes
          hbase.fastpath.offheap-cache.in-memory-share | 2       | is 2, allowed is
          hbase.fastpath.offheap-cache.debug           | maybe   | is maybe, allowed is
          hbase.bucketcache.ioengine                   | offheap | is offheap: only one second-level cache
          hbase.blockcache.use.external                | true    | is true, allowed is false
          hfile.block.cache.size                       | 0       | is 0, allowed with an off-heap cache
          """)
  void whatCannotBeIsOneClearMessage(String key, String value, String message) throws Exception {
    ForkedJvm.Result result = start(key, value);
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.output())
        .containsOnlyOnce("CacheConfigurationException: " + key + " " + message);
  }

  @Test
  void sizeIsSaidToBeMissing() throws Exception {
    assertThat(start(CacheOptions.SIZE, "").output())
        .containsOnlyOnce("CacheConfigurationException: " + CacheOptions.SIZE + " is not set");
  }

  private ForkedJvm.Result start(String key, String value)
      throws IOException, InterruptedException {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("hbase.cluster.distributed", "true");
    conf.put("hbase.regionserver.impl", OffHeapCacheRegionServer.class.getName());
    conf.put(CacheOptions.SIZE, "16m");
    conf.put(key, value);
    StringBuilder site = new StringBuilder("<configuration>");
    conf.forEach(
        (name, text) ->
            site.append("<property><name>")
                .append(name)
                .append("</name><value>")
                .append(text)
                .append("</value></property>"));
    Files.writeString(directory.resolve("hbase-site.xml"), site.append("</configuration>"));
    return ForkedJvm.ours()
        .quickStart()
        .inFront(directory)
        .flag("-Dlog4j.configuration=server-log4j.properties")
        .run(
            directory.resolve("server.log"),
            "org.apache.hadoop.hbase.regionserver.HRegionServer",
            "start");
  }
}
