package org.fastpath.zcr.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.OffHeapReaderStoreEngine;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.fastpath.zcr.ZeroCopyFileSystem;
import org.fastpath.zcr.warmup.ReadWarmUp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real RegionServer reads a table in a DataNode's locked memory. Every row is right. Data blocks
 * come from mappings, and no cache of HBase holds them. After a restart with a warm-up, that is
 * true from the first read on.
 */
class MappedBlocksLiveTest {
  private static final Path OURS = Path.of("target", "classes").toAbsolutePath();
  private static final Path READER =
      Path.of("..", "hbase-offheap-read", "target", "classes").toAbsolutePath().normalize();
  private static final TableName TABLE = TableName.valueOf("pinned");
  private static final TableName OTHER = TableName.valueOf("other");
  private static final TableName CLONE = TableName.valueOf("clone");
  private static final byte[] PLAIN = Bytes.toBytes("n");
  private static final byte[] ENCODED = Bytes.toBytes("d");
  private static final byte[] PACKED = Bytes.toBytes("p");
  private static final byte[] EXCLUDED = Bytes.toBytes("x");
  private static final int ROWS = 3_000;
  private static final int GETS = 500;

  /** A lower bound of the blocks that a scan reads. Each family has more than 2 MB of values. */
  private static final int SCANNED_BLOCKS = 60;

  private static final String POOL = "pool";
  private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=";

  @TempDir Path directory;

  private final Random random = new Random(seed());
  private LocalCluster cluster;
  private Connection connection;
  private Admin admin;
  private DistributedFileSystem fs;

  private static long seed() {
    long seed = Long.getLong("zcr.seed", System.nanoTime());
    System.out.println("Replay with -Dzcr.seed=" + seed);
    return seed;
  }

  @BeforeEach
  void start() throws IOException {
    cluster =
        LocalCluster.builder()
            .directory(directory.resolve("cluster"))
            .shortCircuit(true)
            .lockedMemory(64L << 20)
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .daemon(
                Role.REGIONSERVER,
                options ->
                    options
                        .prependToClasspath(OURS, READER)
                        .heap("512m")
                        .quickStart()
                        .jvmFlags("-XX:MaxDirectMemorySize=256m")
                        .conf(ours()))
            .start();
    Configuration configuration = new Configuration();
    cluster.clientConfiguration().forEach(configuration::set);
    connection = ConnectionFactory.createConnection(configuration);
    admin = connection.getAdmin();
    fs = (DistributedFileSystem) FileSystem.newInstance(configuration);
    fs.addCachePool(new CachePoolInfo(POOL));
  }

  private static Map<String, String> ours() {
    return Map.of(
        "fs.hdfs.impl",
        ZeroCopyFileSystem.class.getName(),
        "hbase.coprocessor.user.region.classes",
        MappedBlocks.class.getName(),
        "hbase.hstore.engine.class",
        OffHeapReaderStoreEngine.class.getName(),
        "hbase.coprocessor.regionserver.classes",
        ReadWarmUp.class.getName(),
        // On a busy machine, the opening of the warm-up's own region takes a part of this time.
        "hbase.fastpath.warm-up.seconds",
        "30",
        "hbase.bucketcache.ioengine",
        "offheap",
        "hbase.bucketcache.size",
        "64",
        // With this key, code that reads a block too late reads bytes that no block contains.
        "dfs.fastpath.zcr.debug",
        Boolean.toString(Boolean.getBoolean("nightly")));
  }

  @AfterEach
  void stop() throws IOException {
    if (connection != null) {
      admin.close();
      connection.close();
      fs.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void aPinnedTableIsServedFromMappings() throws Exception {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(PLAIN))
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(ENCODED)
                    .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
                    .build())
            .build());
    admin.createTable(
        TableDescriptorBuilder.newBuilder(OTHER)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(PACKED)
                    .setCompressionType(Compression.Algorithm.GZ)
                    .build())
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(EXCLUDED)
                    .setConfiguration(MappedBlocks.ENABLED, "false")
                    .build())
            .build());
    fill(TABLE, PLAIN, ENCODED);
    fill(OTHER, PACKED, EXCLUDED);
    assertThat(pin()).isEqualTo(4);
    Eventually.holds(
        () -> {
          get(random.nextInt(ROWS));
          assertThat(metric("mappedBlockCount")).isPositive();
        });
    readAll();
    Eventually.holds(() -> assertThat(metric("mappedBlockCount")).isGreaterThan(2 * GETS));
    Eventually.holds(() -> assertThat(metric("openFileCount")).isEqualTo(2));
    Eventually.holds(() -> assertThat(metric("checksumRememberedCount")).isGreaterThan(GETS));
    aCloneIsServedFromTheSameMappings();

    regionServer().restart();
    readAll();
    Eventually.holds(() -> assertThat(metric("mappedBlockCount")).isGreaterThan(2 * GETS));
    for (String reason : List.of("unmapped", "malformed", "truncated", "failed")) {
      assertThat(metric(reason + "BlockCount")).as(reason).isZero();
    }
    assertThat(metric("checksumMismatchCount")).isZero();
    assertThat(metric("failedReaderCount")).isZero();
    shows("MappedBlocks", "indexedBlockCount");
    shows("MappedBlocks", "indexBytes");
    shows("MappedBlocks", "packedReaderCount");
    shows("MappedBlocks", "excludedReaderCount");
    // Long scans of mapped files open no streams of their own.
    shows("OffHeapReader", "sparedStreamCount");
    shows("ReadWarmUp", "requestCount");
    assertThat(metric("unverifiedVersionCount")).isZero();
    assertThat(number("ReadWarmUp", "failureCount")).isZero();
    // The warm-up also read by mappings, from HDFS, and left nothing there.
    assertThat(metric("stockStreamReaderCount")).isZero();
    assertThat(fs.globStatus(new org.apache.hadoop.fs.Path("/hbase/hbase-fastpath-warm-up/*")))
        .isEmpty();
    // The evicted blocks are one Bloom filter block for each file, and no others.
    assertThat(admin.clearBlockCache(TABLE).getEvictedBlocks()).isBetween(1L, 2L);
    assertThat(admin.clearBlockCache(OTHER).getEvictedBlocks()).isGreaterThan(20);
    Eventually.holds(() -> assertThat(metric("liveBlockCount")).isZero());
    assertThat(number("ZeroCopy", "sliceCount")).isZero();
    assertThat(number("FastpathMetrics", "registrationErrorCount")).isZero();
  }

  /** The store files of a clone are links to those of the pinned table. */
  private void aCloneIsServedFromTheSameMappings() throws Exception {
    admin.snapshot("pinned", TABLE);
    admin.cloneSnapshot("pinned", CLONE);
    long mapped = metric("mappedBlockCount");
    try (Table table = connection.getTable(CLONE)) {
      scan(table, false, PLAIN, ENCODED);
      scan(table, true, PLAIN, ENCODED);
    }
    Eventually.holds(
        () -> assertThat(metric("mappedBlockCount")).isGreaterThan(mapped + 2 * SCANNED_BLOCKS));
    Eventually.holds(() -> assertThat(metric("openFileCount")).isEqualTo(4));
    assertThat(metric("unmappedBlockCount")).isZero();
  }

  private void fill(TableName name, byte[]... families) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      Put put = new Put(key(row));
      for (byte[] family : families) {
        put.addColumn(family, family, value(row, family));
      }
      puts.add(put);
    }
    try (Table table = connection.getTable(name)) {
      table.put(puts);
    }
    admin.flush(name);
  }

  private static byte[] key(int row) {
    return Bytes.toBytes(String.format("%06d", row));
  }

  private static byte[] value(int row, byte[] family) {
    byte[] value = new byte[row % 17 * 100];
    new Random(31L * row + family[0]).nextBytes(value);
    return value;
  }

  /**
   * Caches all files of both tables in HDFS, waits until they are cached, and returns their number.
   */
  private int pin() throws Exception {
    FileStatus[] files =
        fs.globStatus(new org.apache.hadoop.fs.Path("/hbase/data/default/*/*/[ndpx]/*"));
    for (FileStatus file : files) {
      fs.addCacheDirective(
          new CacheDirectiveInfo.Builder().setPool(POOL).setPath(file.getPath()).build());
      Eventually.holds(
          () -> assertThat(blocks(file)).allMatch(block -> block.getCachedLocations().length == 1));
    }
    return files.length;
  }

  private List<LocatedBlock> blocks(FileStatus file) throws IOException {
    String path = file.getPath().toUri().getPath();
    return fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks();
  }

  private void get(int row) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      require(row, table.get(new Get(key(row))), PLAIN, ENCODED);
    }
  }

  private static void require(int row, Result result, byte[]... families) {
    assertThat(result.getRow()).isEqualTo(key(row));
    for (byte[] family : families) {
      assertThat(result.getValue(family, family)).isEqualTo(value(row, family));
    }
  }

  /**
   * Reads by many concurrent gets and by scans in both directions; of the other table, by one scan.
   */
  private void readAll() throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      int[] rows = random.ints(GETS, 0, ROWS).toArray();
      Result[] results = table.get(Arrays.stream(rows).mapToObj(i -> new Get(key(i))).toList());
      for (int i = 0; i < GETS; i++) {
        require(rows[i], results[i], PLAIN, ENCODED);
      }
      scan(table, false, PLAIN, ENCODED);
      scan(table, true, PLAIN, ENCODED);
    }
    try (Table table = connection.getTable(OTHER)) {
      scan(table, false, PACKED, EXCLUDED);
    }
  }

  private static void scan(Table table, boolean backwards, byte[]... families) throws IOException {
    int seen = 0;
    try (ResultScanner scanner = table.getScanner(new Scan().setReversed(backwards))) {
      for (Result result : scanner) {
        require(backwards ? ROWS - 1 - seen : seen, result, families);
        seen++;
      }
    }
    assertThat(seen).isEqualTo(ROWS);
  }

  private Daemon regionServer() {
    return cluster.daemon(Role.REGIONSERVER, 0);
  }

  /** Waits until the metric is positive. Each source is shown some seconds late, on its own. */
  private void shows(String source, String name) throws Exception {
    Eventually.holds(() -> assertThat(number(source, name)).as(name).isPositive());
  }

  private long metric(String name) throws Exception {
    return number("MappedBlocks", name);
  }

  private long number(String source, String name) throws Exception {
    return Eventually.shown(regionServer(), BEAN + source, name);
  }
}
