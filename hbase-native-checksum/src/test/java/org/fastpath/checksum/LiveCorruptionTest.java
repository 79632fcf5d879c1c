package org.fastpath.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.fastpath.cluster.ClusterException;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Bits rot on the disks of a real HDFS below a real RegionServer, with our classes in front of
 * both. A client's read is right or an error, never wrong. HBase reads again with HDFS's
 * verification, which tries the other replica. This works and is counted.
 */
class LiveCorruptionTest {
  private static final Path OURS = Path.of("target", "classes").toAbsolutePath();
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int ROWS = 120;
  private static final int VALUE_BYTES = 10_000;
  private static final int ATTEMPTS = 40;

  /**
   * The target of a RegionServer's reads: arrays, or pool buffers so small that each block is in
   * parts.
   */
  enum Memory {
    HEAP,
    PARTS
  }

  @TempDir static Path directory;

  private static LocalCluster cluster;
  private static Configuration configuration;
  private static Connection connection;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.builder()
            .directory(directory.resolve("cluster"))
            .dataNodes(2)
            .libhadoop(true)
            .conf("dfs.replication", "2")
            .conf("hbase.client.retries.number", "2")
            // A failed read is to be told at once, not after rounds of waiting for better replicas.
            .conf("dfs.client.max.block.acquire.failures", "1")
            .conf("dfs.client.retry.window.base", "10")
            .daemon(Role.REGIONSERVER, options -> options.prependToClasspath(OURS).quickStart())
            .daemon(Role.DATANODE, options -> options.prependToClasspath(OURS).quickStart())
            .start();
    configuration = new Configuration();
    cluster.clientConfiguration().forEach(configuration::set);
    connection = ConnectionFactory.createConnection(configuration);
  }

  @AfterAll
  static void stop() throws IOException {
    if (connection != null) {
      connection.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Memory.class)
  void whatIsRottenIsReadFromAnotherReplicaOrAnErrorAndCounted(Memory memory) throws Exception {
    restartRegionServer(memory);
    oneReplicaIsRotten(memory);
    allReplicasAreRotten(memory);
  }

  private static void oneReplicaIsRotten(Memory memory) throws Exception {
    TableName name = load("one-" + memory);
    corrupt(name, 50, 1);
    long failures = 0;
    for (int i = 0; i < ATTEMPTS && failures == 0; i++) {
      // Opening the file chooses the replica at random.
      connection.getAdmin().disableTable(name);
      connection.getAdmin().enableTable(name);
      assertThat(read(name, 50)).isEqualTo(value(name, 50));
      failures = checksumFailures();
    }
    assertThat(failures).as("fallbacks to HDFS's verification").isPositive();
    for (int row = 0; row < ROWS; row++) {
      assertThat(read(name, row)).isEqualTo(value(name, row));
    }
  }

  private static void allReplicasAreRotten(Memory memory) throws Exception {
    TableName name = load("all-" + memory);
    corrupt(name, 70, 2);
    Eventually.holds(() -> assertThat(checksumFailures()).isZero());
    assertThatThrownBy(() -> read(name, 70)).isInstanceOf(IOException.class);
    Eventually.holds(() -> assertThat(checksumFailures()).isPositive());
    Eventually.holds(() -> assertThat(fallbacks()).isPositive());
    int right = 0;
    for (int row = 0; row < ROWS; row++) {
      right += readsRight(name, row) ? 1 : 0;
    }
    assertThat(right).isLessThan(ROWS);
  }

  @Test
  void bothDaemonsShowThatOurClassesAreInUse() throws Exception {
    TableName name = load("shown");
    assertThat(read(name, 1)).isEqualTo(value(name, 1));
    for (Role role : List.of(Role.REGIONSERVER, Role.DATANODE)) {
      Daemon daemon = cluster.daemon(role, 0);
      Eventually.holds(() -> assertThatOurClassesAreShown(daemon));
      assertThat(Files.readString(daemon.log())).contains("Checksums: CRC32 by ");
    }
  }

  private static void assertThatOurClassesAreShown(Daemon daemon) throws IOException {
    String bean = bean(daemon.role());
    assertThat(daemon.jmxAttribute(bean, "tag.crc32cProvider")).isPresent();
    assertThat(metric(daemon, bean, "crc32cVerifiedBytes")).isPositive();
    assertThat(daemon.jmxAttribute(bean, "stockPatchCount")).contains("0");
  }

  @Test
  void aWrongProviderStopsTheRegionServerWithAClearMessage() throws Exception {
    Daemon regionServer = cluster.daemon(Role.REGIONSERVER, 0);
    try {
      regionServer.restart(
          options ->
              options
                  .jvmFlags("-D" + ChecksumProvider.KEY + "=fast")
                  // HBase's hook waits for the very thread that ends the process.
                  .conf("hadoop.service.shutdown.timeout", "2s"));
    } catch (ClusterException e) {
      // It went down before it was ready; else it does so at its first block.
    }
    Eventually.holds(() -> assertThat(regionServer.isAlive()).isFalse());
    assertThat(Files.readString(regionServer.log()))
        .contains(
            ChecksumProvider.KEY
                + " is 'fast' (from the system property); allowed are: auto, jdk, hadoop-native");
    regionServer.restart();
  }

  private static void restartRegionServer(Memory memory) {
    cluster
        .daemon(Role.REGIONSERVER, 0)
        .restart(
            options -> {
              if (memory == Memory.PARTS) {
                options
                    .conf("hbase.bucketcache.ioengine", "offheap")
                    .conf("hbase.bucketcache.size", "64")
                    .conf("hbase.server.allocator.buffer.size", "16384")
                    .jvmFlags("-XX:MaxDirectMemorySize=512m");
              }
            });
  }

  private static TableName load(String table) throws IOException {
    TableName name = TableName.valueOf(table);
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      for (int row = 0; row < ROWS; row++) {
        put(name, row);
      }
      admin.flush(name);
    }
    return name;
  }

  private static void put(TableName name, int row) throws IOException {
    try (Table table = connection.getTable(name)) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, value(name, row)));
    }
  }

  private static byte[] value(TableName name, int row) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(31L * name.hashCode() + row).nextBytes(value);
    return value;
  }

  private static byte[] read(TableName name, int row) throws IOException {
    try (Table table = connection.getTable(name)) {
      return table
          .get(new Get(Bytes.toBytes(row)).setCacheBlocks(false))
          .getValue(FAMILY, QUALIFIER);
    }
  }

  private static boolean readsRight(TableName name, int row) {
    byte[] read;
    try {
      read = read(name, row);
    } catch (IOException e) {
      return false;
    }
    assertThat(read).isEqualTo(value(name, row));
    return true;
  }

  private static String bean(Role role) {
    return role == Role.DATANODE
        ? "Hadoop:service=DataNode,name=Checksum"
        : "Hadoop:service=HBase,name=RegionServer,sub=Checksum";
  }

  private static long fallbacks() throws IOException {
    Daemon daemon = cluster.daemon(Role.REGIONSERVER, 0);
    return metric(daemon, bean(Role.REGIONSERVER), "fallbackCount");
  }

  /** Since the metric was last looked at: HBase takes the count back to zero with each snapshot. */
  private static long checksumFailures() throws IOException {
    Daemon daemon = cluster.daemon(Role.REGIONSERVER, 0);
    return metric(
        daemon, "Hadoop:service=HBase,name=RegionServer,sub=IO", "fsChecksumFailureCount");
  }

  private static long metric(Daemon daemon, String bean, String name) throws IOException {
    return daemon.jmxAttribute(bean, name).map(Long::parseLong).orElse(0L);
  }

  /** Flips a bit in the middle of a row's value in so many replicas of its HFile. */
  private static void corrupt(TableName name, int row, int replicas) throws IOException {
    String block = blockOf(name);
    for (int i = 0; i < replicas; i++) {
      Path file = replica(cluster.daemon(Role.DATANODE, i), block);
      int at = indexOf(Files.readAllBytes(file), Arrays.copyOf(value(name, row), 64));
      try (RandomAccessFile disk = new RandomAccessFile(file.toFile(), "rw")) {
        disk.seek(at + VALUE_BYTES / 2);
        int old = disk.read();
        disk.seek(at + VALUE_BYTES / 2);
        disk.write(old ^ 1);
      }
    }
  }

  private static String blockOf(TableName name) throws IOException {
    FileSystem fileSystem = FileSystem.get(configuration);
    org.apache.hadoop.fs.Path table =
        new org.apache.hadoop.fs.Path(
            configuration.get("hbase.rootdir"), "data/default/" + name.getQualifierAsString());
    RemoteIterator<LocatedFileStatus> files = fileSystem.listFiles(table, true);
    while (files.hasNext()) {
      LocatedFileStatus file = files.next();
      if (file.getPath().getParent().getName().equals("f") && file.getLen() > ROWS * VALUE_BYTES) {
        return ((HdfsLocatedFileStatus) file).getLocatedBlocks().get(0).getBlock().getBlockName();
      }
    }
    throw new IOException("no HFile of " + name);
  }

  private static Path replica(Daemon dataNode, String block) throws IOException {
    for (Path volume : dataNode.dataDirectories()) {
      try (Stream<Path> files = Files.walk(volume)) {
        List<Path> found =
            files.filter(file -> file.getFileName().toString().equals(block)).toList();
        if (!found.isEmpty()) {
          return found.get(0);
        }
      }
    }
    throw new IOException(block + " is not on " + dataNode);
  }

  private static int indexOf(byte[] bytes, byte[] wanted) {
    for (int i = 0; i <= bytes.length - wanted.length; i++) {
      if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
        return i;
      }
    }
    throw new IllegalStateException("the value is not in the block");
  }
}
