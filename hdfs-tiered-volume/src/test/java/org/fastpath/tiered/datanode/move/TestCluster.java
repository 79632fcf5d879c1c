package org.fastpath.tiered.datanode.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;

/** HDFS with three DataNodes, all with a disk and an SSD, one with an archive, and known files. */
final class TestCluster implements AutoCloseable {
  private static final int DATANODES = 3;
  private static final int REPLICAS = 2;

  /** The name of the key for encryption zones. */
  static final String KEY = "key";

  private static final int BLOCK_BYTES = 1 << 20;

  private final LocalCluster cluster;
  private final DistributedFileSystem fs;

  /** The first DataNode's volumes lie in the directory. */
  TestCluster(Path volumes) throws IOException {
    cluster = builder(volumes).start();
    fs = (DistributedFileSystem) FileSystem.newInstance(conf());
  }

  /** Becomes a user of a cluster. */
  interface Login {
    void as(Configuration conf) throws Exception;
  }

  /** Starts a cluster with more configuration and a login before the first call. */
  TestCluster(Path volumes, UnaryOperator<ClusterBuilder> more, Login login) throws Exception {
    cluster = more.apply(builder(volumes)).start();
    login.as(conf());
    fs = (DistributedFileSystem) FileSystem.newInstance(conf());
  }

  private static ClusterBuilder builder(Path volumes) throws IOException {
    return LocalCluster.builder()
        .conf(CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH, keys(volumes))
        .startTimeout(Duration.ofMinutes(10))
        .hbase(false)
        .dataNodes(DATANODES)
        .volumes("[DISK]", "[SSD]")
        .conf("dfs.replication", Integer.toString(REPLICAS))
        .conf("dfs.blocksize", Integer.toString(BLOCK_BYTES))
        .conf("dfs.namenode.redundancy.interval.seconds", "1")
        .conf("dfs.namenode.invalidate.work.pct.per.iteration", "1.0")
        .daemon(Role.NAMENODE, DaemonOptions::quickStart)
        .daemon(Role.DATANODE, o -> o.quickStart().conf("dfs.heartbeat.interval", "100ms"))
        .daemon(
            Role.DATANODE,
            0,
            o ->
                o.conf(
                    "dfs.datanode.data.dir",
                    String.format(
                        "[DISK]%1$sdisk,[SSD]%1$sssd,[ARCHIVE]%1$sarchive", volumes.toUri())));
  }

  /**
   * Returns a key store with one key for encryption zones, which the NameNode reads when it starts.
   */
  private static String keys(Path directory) throws IOException {
    String store = "jceks://file" + directory.resolve("keys.jceks");
    Configuration conf = new Configuration();
    KeyProvider provider = KeyProviderFactory.get(URI.create(store), conf);
    try {
      provider.createKey(KEY, KeyProvider.options(conf).setBitLength(128));
    } catch (NoSuchAlgorithmException e) {
      throw new IOException(e);
    }
    provider.flush();
    return store;
  }

  Configuration conf(String... keysAndValues) {
    Configuration conf = new HdfsConfiguration();
    cluster.clientConfiguration().forEach(conf::set);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }

  LocalCluster processes() {
    return cluster;
  }

  DistributedFileSystem fs() {
    return fs;
  }

  Daemon dataNode(int index) {
    return cluster.daemon(Role.DATANODE, index);
  }

  /** Writes a file of known bytes with so many replicas, and waits until all are known. */
  org.apache.hadoop.fs.Path write(String name, int blocks, int blockBytes, int replicas)
      throws Exception {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(name);
    try (OutputStream out = fs.create(file, true, 4096, (short) replicas, blockBytes)) {
      out.write(bytes(blocks * blockBytes));
    }
    Eventually.holds(
        () -> assertThat(blocks(file)).allMatch(b -> b.getLocations().length == replicas));
    return file;
  }

  org.apache.hadoop.fs.Path write(String name, int blocks) throws Exception {
    return write(name, blocks, BLOCK_BYTES, REPLICAS);
  }

  /** Writes to where files have two data blocks and one of parity. */
  void writeStriped(org.apache.hadoop.fs.Path file) throws Exception {
    try (OutputStream out = fs.create(file)) {
      out.write(bytes((1 << 20) + 1000));
    }
    Eventually.holds(() -> assertThat(types(file)).hasSize(DATANODES));
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  /** Reads a whole file and compares it with the written data. */
  void read(org.apache.hadoop.fs.Path file) throws IOException {
    try (InputStream in = fs.open(file)) {
      byte[] read = in.readAllBytes();
      assertThat(Arrays.equals(read, bytes(read.length))).isTrue();
      assertThat(read.length).isGreaterThanOrEqualTo(BLOCK_BYTES);
    }
  }

  List<LocatedBlock> blocks(org.apache.hadoop.fs.Path file) throws IOException {
    return fs.getClient()
        .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE)
        .getLocatedBlocks();
  }

  /** Returns the types of all replicas. */
  List<StorageType> types(org.apache.hadoop.fs.Path file) throws IOException {
    List<StorageType> types = new ArrayList<>();
    blocks(file).forEach(block -> types.addAll(List.of(block.getStorageTypes())));
    return types;
  }

  @Override
  public void close() throws IOException {
    try (LocalCluster closing = cluster) {
      fs.close();
    }
  }
}
