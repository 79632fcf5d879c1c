package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.unix.DomainSocket;
import org.fastpath.cluster.Eventually;
import org.fastpath.zcr.pin.MiniHdfs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Problems that users reported about HDFS's streams, compared with stock streams of the same files.
 * Local replicas are mapped without being cached. {@code docs/design/cases.md} lists the reports.
 */
class ReportedStreamsTest {
  private static final int BLOCK_BYTES = 64 << 10;
  private static final KnownBytes BYTES = new KnownBytes(38, 3 * BLOCK_BYTES + 1234);
  private static final String REFRESH_MILLIS = "dfs.client.refresh.read-block-locations.ms";
  private static final String SOCKET = "dfs.domain.socket.path";

  @TempDir static Path directory;

  private static MiniDFSCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    DomainSocket.disableBindPathValidation();
    Configuration remote = conf();
    // It has no socket, so its replicas are remote ones.
    remote.unset(SOCKET);
    remote.setBoolean("dfs.client.read.shortcircuit", false);
    cluster = MiniHdfs.builder(remote, directory.resolve("hdfs")).numDataNodes(1).build();
    cluster.waitActive();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  private static Configuration conf() {
    Configuration conf = MiniHdfs.conf();
    conf.setInt("dfs.blocksize", BLOCK_BYTES);
    conf.set(SOCKET, directory.resolve("dn._PORT").toString());
    conf.setBoolean("dfs.client.read.shortcircuit", true);
    conf.set("dfs.client.read.shortcircuit.skip.checksum", "true");
    conf.set("dfs.client.context", "reported");
    conf.setInt("dfs.domain.socket.disable.interval.seconds", 1);
    conf.setInt("dfs.client.mmap.cache.size", 0);
    conf.setInt("dfs.client.read.shortcircuit.streams.cache.size", 0);
    conf.set(ZeroCopyOptions.MAPS_UNCACHED, "true");
    return conf;
  }

  private static FileSystem fileSystem(Class<?> implementation, String... more) throws IOException {
    Configuration conf = conf();
    conf.set("fs.hdfs.impl", implementation.getName());
    for (int i = 0; i < more.length; i += 2) {
      conf.set(more[i], more[i + 1]);
    }
    return FileSystem.newInstance(cluster.getURI(), conf);
  }

  /** DataNodes whose replicas are local, so many at least. */
  private static void startLocal(int nodes) throws Exception {
    while (cluster.getDataNodes().size() < 1 + nodes) {
      Configuration conf = new Configuration(cluster.getConfiguration(0));
      conf.set(SOCKET, directory.resolve("dn._PORT").toString());
      conf.setBoolean("dfs.client.read.shortcircuit", true);
      cluster.startDataNodes(conf, 1, true, null, null);
      cluster.waitActive();
    }
  }

  private static org.apache.hadoop.fs.Path write(String name) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/" + name);
    try (OutputStream out = cluster.getFileSystem().create(path, (short) 1)) {
      out.write(BYTES.all());
    }
    return path;
  }

  private static void replicate(org.apache.hadoop.fs.Path file, int replicas) throws Exception {
    DistributedFileSystem fs = cluster.getFileSystem();
    fs.setReplication(file, (short) replicas);
    Eventually.holds(
        () ->
            assertThat(
                    fs.getClient()
                        .getLocatedBlocks(file.toString(), 0, BYTES.length())
                        .getLocatedBlocks())
                .allSatisfy(block -> assertThat(block.getLocations()).hasSize(replicas)));
  }

  /** The position of a stream after each of some calls. */
  private static List<String> states(HdfsDataInputStream in) throws IOException {
    List<String> states = new ArrayList<>();
    states.add("new " + in.getCurrentBlock());
    byte[] buffer = new byte[BYTES.length()];
    in.readFully(0, buffer);
    states.add("positional " + in.getCurrentBlock());
    for (int block = 0; block < 4; block++) {
      in.seek((long) block * BLOCK_BYTES + 5);
      states.add("read " + in.read() + in.getCurrentBlock() + in.getPos());
      states.add("none " + in.read(buffer, 0, 0) + in.getCurrentBlock());
    }
    in.seek(BYTES.length() - 1);
    states.add("last " + in.read() + in.getCurrentBlock());
    states.add("end " + in.read() + in.getCurrentBlock() + in.getPos());
    states.add("end " + in.read(ByteBuffer.allocate(5)) + in.getCurrentBlock());
    in.seek(7);
    states.add("sought " + in.getCurrentBlock());
    states.add("again " + in.read() + in.getCurrentBlock());
    return states;
  }

  @Test
  void currentBlockIsWhatAStockStreamNames() throws Exception {
    startLocal(1);
    org.apache.hadoop.fs.Path file = write("blocks");
    replicate(file, 2);
    try (FileSystem ours = fileSystem(ZeroCopyFileSystem.class);
        FileSystem stock = fileSystem(DistributedFileSystem.class);
        FSDataInputStream left = stock.open(file);
        FSDataInputStream right = ours.open(file)) {
      long copied = ZeroCopyMetrics.copiedReads();
      assertThat(states((HdfsDataInputStream) right)).isEqualTo(states((HdfsDataInputStream) left));
      assertThat(ZeroCopyMetrics.copiedReads()).isGreaterThan(copied);
    }
  }

  /** Of two replicas the other one is read, and not by its mapping; of one there is no other. */
  @Test
  void anotherSourceIsFoundWhereAStockStreamFindsOne() throws Exception {
    startLocal(2);
    org.apache.hadoop.fs.Path one = write("one");
    org.apache.hadoop.fs.Path two = write("two");
    replicate(two, 3);
    try (FileSystem ours = fileSystem(ZeroCopyFileSystem.class);
        FileSystem stock = fileSystem(DistributedFileSystem.class)) {
      // The NameNode lists DataNodes at the same distance in random order.
      for (org.apache.hadoop.fs.Path file : List.of(one, two, two, two, two, two, two, two, two)) {
        try (HdfsDataInputStream left = (HdfsDataInputStream) stock.open(file);
            HdfsDataInputStream right = (HdfsDataInputStream) ours.open(file)) {
          assertThat(left.read()).isEqualTo(right.read());
          boolean found = left.seekToNewSource(10);
          String before = right.getCurrentDatanode().getDatanodeUuid();
          assertThat(right.seekToNewSource(10)).isEqualTo(found).isEqualTo(file == two);
          assertThat(right.getPos()).isEqualTo(10);
          long copied = ZeroCopyMetrics.copiedReads();
          assertThat(right.read()).isEqualTo(BYTES.at(10) & 0xff);
          if (found) {
            assertThat(right.getCurrentDatanode().getDatanodeUuid()).isNotEqualTo(before);
            assertThat(ZeroCopyMetrics.copiedReads()).isEqualTo(copied);
          }
          right.seek(BLOCK_BYTES + 3);
          assertThat(right.read()).isEqualTo(BYTES.at(BLOCK_BYTES + 3) & 0xff);
        }
      }
      assertThat(ZeroCopyMetrics.copiedReads()).isPositive();
    }
  }

  /**
   * A stock read of an interrupted thread closes the channel that other streams share; ours not.
   */
  @Test
  void aReadOfAnInterruptedThreadFailsAsAStockReadFails() throws Exception {
    startLocal(1);
    org.apache.hadoop.fs.Path file = writeTo("interrupted", false);
    try (FileSystem ours = fileSystem(ZeroCopyFileSystem.class);
        FileSystem stock = fileSystem(DistributedFileSystem.class);
        FSDataInputStream right = ours.open(file);
        FSDataInputStream left = stock.open(file)) {
      byte[] buffer = new byte[100];
      right.readFully(0, buffer);
      BYTES.require(0, buffer, 0, buffer.length);
      long copied = ZeroCopyMetrics.copiedReads();
      assertThat(copied).isPositive();
      for (FSDataInputStream in : List.of(right, left)) {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> in.read(5, buffer, 0, 10))
            .isInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
      }
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> right.read(5, ByteBuffer.allocate(10)))
          .isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(ZeroCopyMetrics.copiedReads()).isEqualTo(copied);
      right.readFully(0, buffer);
      assertThat(ZeroCopyMetrics.copiedReads()).isGreaterThan(copied);
    }
  }

  /**
   * HDFS-16262 and HBASE-26304: a stream finds a replica that came to this host after it when HDFS
   * tells it new locations. Of a DataNode at a local address HDFS asks for none until it is dead.
   */
  @ParameterizedTest
  @ValueSource(strings = {"0", "200"})
  void aReplicaThatComesLaterIsMappedWhenTheStreamLearnsOfIt(String refresh) throws Exception {
    startLocal(1);
    org.apache.hadoop.fs.Path file = writeTo("later-" + refresh, true);
    try (FileSystem ours = fileSystem(ZeroCopyFileSystem.class, REFRESH_MILLIS, refresh);
        FSDataInputStream in = ours.open(file)) {
      long copied = ZeroCopyMetrics.copiedReads();
      readAll(in);
      assertThat(ZeroCopyMetrics.copiedReads()).isEqualTo(copied);
      replicate(file, cluster.getDataNodes().size());
      readAll(in);
      assertThat(ZeroCopyMetrics.copiedReads()).isEqualTo(copied);
      try (FSDataInputStream again = ours.open(file)) {
        readAll(again);
        assertThat(ZeroCopyMetrics.copiedReads()).isGreaterThan(copied);
      }
      long before = ZeroCopyMetrics.copiedReads();
      MiniDFSCluster.DataNodeProperties stopped = cluster.stopDataNode(node(true).getDisplayName());
      try {
        Eventually.holds(
            () -> {
              readAll(in);
              assertThat(ZeroCopyMetrics.copiedReads()).isGreaterThan(before);
            });
      } finally {
        cluster.restartDataNode(stopped, true);
        cluster.waitActive();
      }
    }
  }

  /** Returns a file of one replica, which is local or not. */
  private static org.apache.hadoop.fs.Path writeTo(String name, boolean remote) throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/" + name);
    try (OutputStream out =
        cluster
            .getFileSystem()
            .create(
                file,
                FsPermission.getFileDefault(),
                true,
                4096,
                (short) 1,
                BLOCK_BYTES,
                null,
                new InetSocketAddress[] {node(remote).getXferAddress()})) {
      out.write(BYTES.all());
    }
    return file;
  }

  private static DataNode node(boolean remote) {
    return cluster.getDataNodes().stream()
        .filter(node -> node.getConf().get(SOCKET, "").isEmpty() == remote)
        .findAny()
        .orElseThrow();
  }

  private static void readAll(FSDataInputStream in) throws IOException {
    byte[] read = new byte[BYTES.length()];
    in.readFully(0, read);
    BYTES.require(0, read, 0, read.length);
  }

  /** HDFS-15305, HDFS-15533 and HIVE-27631: a mount table that takes the place of hdfs itself. */
  @Test
  void filesBehindAMountTableOfTheSameSchemeAreMapped() throws Exception {
    startLocal(1);
    org.apache.hadoop.fs.Path file = write("mounted");
    replicate(file, 2);
    URI target = cluster.getURI();
    Configuration conf = conf();
    conf.set("fs.hdfs.impl", ViewFileSystemOverloadScheme.class.getName());
    conf.set("fs.viewfs.overload.scheme.target.hdfs.impl", ZeroCopyFileSystem.class.getName());
    conf.set("fs.viewfs.mounttable.all.link./mounted", target + "/mounted");
    try (FileSystem view = FileSystem.newInstance(URI.create("hdfs://all/"), conf);
        FSDataInputStream in = view.open(file)) {
      assertThat(in).isInstanceOf(ZeroCopyInputStream.class);
      long copied = ZeroCopyMetrics.copiedReads();
      readAll(in);
      assertThat(ZeroCopyMetrics.copiedReads()).isGreaterThan(copied);
    }
  }
}
