package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.fastpath.tiered.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the choice of the client, which needs no server. */
class LargePacketsTest {
  private static final String PACKET = "dfs.client-write-packet-size";
  private static final String IN_FLIGHT = "dfs.client.write.max-packets-in-flight";

  /** A subclass, as zero-copy installs one. */
  public static final class Reading extends DistributedFileSystem {}

  private final Configuration conf = new Configuration(false);

  private Optional<HFileSystem> client() throws IOException {
    return client(URI.create("hdfs://localhost:1/"));
  }

  private Optional<HFileSystem> client(URI files) throws IOException {
    try (Reading hdfs = new Reading()) {
      hdfs.initialize(files, conf);
      Optional<HFileSystem> client = LargePackets.client(new HFileSystem(hdfs));
      assertThat(LargePackets.client(hdfs)).as("opened once").isEqualTo(client);
      return client;
    }
  }

  @Test
  void theClientHasLargePacketsAndAsManyBytesInFlight() throws IOException {
    try (HFileSystem client = client().orElseThrow()) {
      assertThat(client.getRawFileSystem()).isExactlyInstanceOf(DistributedFileSystem.class);
      assertThat(client.getConf().getInt(PACKET, 0)).isEqualTo(508 << 10);
      assertThat(client.getConf().getInt(IN_FLIGHT, 0)).isEqualTo(80 * 64 / 508);
    }
    assertThat(conf.get(PACKET)).as("of HBase's client").isNull();
  }

  @ParameterizedTest
  @CsvSource({"1m, 80, 1048576, 5", "4m, 80, 4194304, 4", "128k, 200, 131072, 100"})
  void theSizeIsAKeyOfTheSite(String size, int packets, int bytes, int inFlight)
      throws IOException {
    conf.set(LargePackets.SIZE, size);
    conf.setInt(IN_FLIGHT, packets);
    try (HFileSystem client = client().orElseThrow()) {
      assertThat(client.getConf().getInt(PACKET, 0)).isEqualTo(bytes);
      assertThat(client.getConf().getInt(IN_FLIGHT, 0)).isEqualTo(inFlight);
    }
  }

  @Test
  void thereIsNoSecondClientWithoutNeed() throws IOException {
    conf.setInt(PACKET, 508 << 10);
    assertThat(client()).as("HBase's has such packets").isEmpty();
    conf.setInt(PACKET, 128 << 10);
    assertThat(client()).as("somebody chose a size").isEmpty();
    conf.set(LargePackets.SIZE, "256k");
    assertThat(client()).as("somebody chose ours as well").isPresent();
    conf.unset(PACKET);
    conf.set(LargePackets.SIZE, "0");
    assertThat(client()).as("switched off").isEmpty();
  }

  /** A mount table can be before HDFS, and paths then mean other files. */
  @Test
  void onlyHdfsItselfHasASecondClient() throws IOException {
    assertThat(LargePackets.client(FileSystem.getLocal(conf))).isEmpty();
    assertThat(LargePackets.client(new ViewDistributedFileSystem())).isEmpty();
  }

  /** An observer answers one client before it knows what another has written. */
  @Test
  void observersGetNoSecondClient() throws IOException {
    conf.set("dfs.nameservices", "ns");
    conf.set("dfs.ha.namenodes.ns", "a,b");
    conf.set("dfs.namenode.rpc-address.ns.a", "localhost:1");
    conf.set("dfs.namenode.rpc-address.ns.b", "localhost:2");
    String providers = "org.apache.hadoop.hdfs.server.namenode.ha.";
    String key = "dfs.client.failover.proxy.provider.ns";
    conf.set(key, providers + "ConfiguredFailoverProxyProvider");
    assertThat(client(URI.create("hdfs://ns/"))).isPresent();
    conf.setBoolean("dfs.client.rbf.observer.read.enable", true);
    assertThat(client(URI.create("hdfs://ns/"))).as("behind routers").isEmpty();
    conf.unset("dfs.client.rbf.observer.read.enable");
    for (String observers :
        List.of("ObserverReadProxyProvider", "RouterObserverReadConfiguredFailoverProxyProvider")) {
      conf.set(key, providers + observers);
      assertThat(client(URI.create("hdfs://ns/"))).as(observers).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "5m", "large"})
  void aWrongSizeIsRefused(String size) throws IOException {
    conf.set(LargePackets.SIZE, size);
    assertThatThrownBy(() -> LargePackets.size(conf))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("hbase.fastpath.tiering.packet-size is " + size + ", allowed is ")
        .hasMessageEndingWith("from 0 to 4194304");
    assertThat(client()).isEmpty();
  }
}
