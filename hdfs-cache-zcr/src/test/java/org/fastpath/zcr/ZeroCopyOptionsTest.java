package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the values of the configuration, and the log line if mappings are impossible. */
class ZeroCopyOptionsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void hasDefaults() {
    assertThat(ZeroCopyOptions.of(conf))
        .isEqualTo(new ZeroCopyOptions(true, false, 2048, 256L << 30, 300_000, 10_000, false));
  }

  @Test
  void readsSuffixes() {
    conf.set(ZeroCopyOptions.MAX_MAPPED_BYTES, " 3g ");
    assertThat(ZeroCopyOptions.of(conf).maxMappedBytes()).isEqualTo(3L << 30);
  }

  @ParameterizedTest
  @CsvSource({
    "dfs.fastpath.zcr.enabled, yes, true or false",
    "dfs.fastpath.zcr.map-uncached, 1, true or false",
    "dfs.fastpath.zcr.max-mappings, 0, a number from 1 to 1000000",
    "dfs.fastpath.zcr.max-mapped-bytes, lots, 'bytes, or with the suffix k, m, g or t, from 1 to'",
    "dfs.fastpath.zcr.idle-millis, 10, milliseconds from 100 to 86400000",
  })
  void refusesWithKeyValueAndWhatIsAllowed(String key, String value, String allowed) {
    conf.set(key, value);
    assertThatThrownBy(() -> ZeroCopyOptions.of(conf))
        .hasMessageStartingWith(key + " is " + value + ", allowed is " + allowed);
    assertThatThrownBy(() -> new ZeroCopyFileSystem().initialize(URI.create("hdfs://x:1"), conf))
        .isInstanceOf(ZeroCopyConfigurationException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "dfs.fastpath.zcr.enabled, false, dfs.fastpath.zcr.enabled is false",
    "dfs.client.read.shortcircuit, false, dfs.client.read.shortcircuit is false; set it to true",
    "dfs.domain.socket.path, '', dfs.domain.socket.path is not set; set it to the DataNodes' value",
    "dfs.client.mmap.enabled, false, dfs.client.mmap.enabled is false; set it to true",
    "dfs.client.use.legacy.blockreader.local, true, dfs.client.use.legacy.blockreader.local is",
    "dfs.short.circuit.shared.memory.watcher.interrupt.check.ms, 0, dfs.short.circuit.shared",
  })
  void saysWhatToSet(String key, String value, String missingRequirement) {
    conf.set("dfs.client.read.shortcircuit", "true");
    conf.set("dfs.domain.socket.path", "/socket");
    conf.set(key, value);
    assertThat(
            ZeroCopySupport.missingRequirement(ZeroCopyOptions.of(conf), new DfsClientConf(conf)))
        .hasValueSatisfying(line -> assertThat(line).startsWith(missingRequirement));
  }
}
