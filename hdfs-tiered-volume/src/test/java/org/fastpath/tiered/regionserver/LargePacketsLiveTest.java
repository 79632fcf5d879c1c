package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.fastpath.tiered.datanode.TieredDatasetFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two DataNodes that accept only encrypted data. SASL encrypts a packet as one message, so its size
 * matters most there.
 */
class LargePacketsLiveTest {
  private static final int DATA_NODES = 2;
  private static final int BYTES = 8_000_000;
  private static final int PACKETS_BY_HBASE = BYTES / (64 << 10);
  private static final int PACKETS = BYTES / (508 << 10);

  private static LocalCluster cluster;
  private static Configuration conf;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.builder()
            .hbase(false)
            .dataNodes(DATA_NODES)
            .conf("dfs.replication", Integer.toString(DATA_NODES))
            .conf("dfs.block.access.token.enable", "true")
            .conf("dfs.encrypt.data.transfer", "true")
            .daemon(
                Role.DATANODE,
                options ->
                    options
                        .quickStart()
                        .prependToClasspath(java.nio.file.Path.of("target/classes"))
                        .conf(
                            "dfs.datanode.fsdataset.factory", TieredDatasetFactory.class.getName()))
            .start();
    conf = new HdfsConfiguration();
    cluster.clientConfiguration().forEach(conf::set);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  private static void write(FileSystem stock, Path file, byte[] bytes) throws IOException {
    try (FSDataOutputStream out =
        LargePackets.create(conf, stock, file, FsPermission.getFileDefault(), null)) {
      out.write(bytes);
    }
  }

  private static void requireContents(FileSystem files, Path file, byte[] bytes)
      throws IOException {
    try (InputStream in = files.open(file)) {
      assertThat(Arrays.equals(in.readAllBytes(), bytes)).isTrue();
    }
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  /** The provider of pieces registers this source. */
  @Test
  void dataNodesHaveOurFileIo() throws Exception {
    for (int i = 0; i < DATA_NODES; i++) {
      assertThat(
              Eventually.shown(
                  cluster.daemon(Role.DATANODE, i),
                  "Hadoop:service=DataNode,name=KernelAdvice",
                  "dropBehindOmittedCount"))
          .isZero();
    }
  }

  /** Returns how many packets all DataNodes have received. JMX shows it some seconds later. */
  private static long received() throws IOException {
    long packets = 0;
    for (int i = 0; i < DATA_NODES; i++) {
      packets +=
          cluster
              .daemon(Role.DATANODE, i)
              .jmxAttribute("Hadoop:service=DataNode,name=DataNodeActivity-*", "PacketsReceived")
              .map(Long::parseLong)
              .orElseThrow();
    }
    return packets;
  }

  /** Without a cipher, SASL encrypts. */
  @ParameterizedTest
  @ValueSource(strings = {"", "AES/CTR/NoPadding"})
  void aFileHasFewPackets(String cipher) throws Exception {
    Configuration client = new Configuration(conf);
    client.set("dfs.encrypt.data.transfer.cipher.suites", cipher);
    byte[] bytes = bytes(BYTES);
    Path file = new Path("/file" + cipher.length());
    try (FileSystem files = FileSystem.newInstance(client)) {
      long before = received();
      write(new HFileSystem(files), file, bytes);
      Eventually.holds(
          () ->
              assertThat(received() - before)
                  .isBetween((long) DATA_NODES * PACKETS, DATA_NODES * PACKETS_BY_HBASE / 2L));
      requireContents(files, file, bytes);
    }
  }

  @Test
  void hbasesClientCreatesAFileIfOursIsClosed() throws Exception {
    byte[] bytes = bytes(BYTES);
    Path file = new Path("/by-hbase");
    try (FileSystem files = FileSystem.newInstance(conf)) {
      FileSystem stock = new HFileSystem(files);
      LargePackets.client(stock).orElseThrow().close();
      long before = received();
      write(stock, file, bytes);
      Eventually.holds(
          () ->
              assertThat(received() - before)
                  .isGreaterThanOrEqualTo((long) DATA_NODES * PACKETS_BY_HBASE));
      requireContents(files, file, bytes);
    }
  }

  @Test
  void whatHdfsRefusesIsNotTriedAgain() throws IOException {
    Path directory = new Path("/directory");
    AtomicInteger created = new AtomicInteger();
    DistributedFileSystem counting =
        new DistributedFileSystem() {
          @Override
          public HdfsDataOutputStreamBuilder createFile(Path file) {
            created.incrementAndGet();
            return super.createFile(file);
          }
        };
    try (FileSystem files = counting) {
      files.initialize(FileSystem.getDefaultUri(conf), conf);
      files.mkdirs(directory);
      assertThatThrownBy(() -> write(new HFileSystem(files), directory, bytes(1)))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThat(created).as("by HBase's client").hasValue(0);
    }
  }
}
