package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.OffHeapReaderStoreEngine;
import org.apache.hadoop.hbase.security.provider.SaslClientAuthenticationProviders;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.Kdc;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.fastpath.zcr.ZeroCopyFileSystem;
import org.fastpath.zcr.hbase.MappedBlocks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * HDFS and HBase with a KDC: daemons and users prove their names, and block tokens and their keys
 * live for five seconds. Pins work, user bob can do nothing about them, and a RegionServer goes on
 * reading from mappings. With {@code -Dnightly=true} for 10 minutes, else for 20 seconds.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SecurePinsLiveTest {
  private static final Duration TOKENS = Duration.ofSeconds(5);
  private static final Duration TIME =
      Boolean.getBoolean("nightly") ? Duration.ofMinutes(10) : Duration.ofSeconds(20);
  private static final String POOL = "pins";
  private static final String TEST_POOL = "pool";
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final TableName ALWAYS = TableName.valueOf("always");
  private static final TableName TOGGLED = TableName.valueOf("toggled");
  private static final int ROWS = 200;
  private static final int GETS = 20;
  private static final int VALUE_BYTES = 5_000;

  /** Connections come and go. A leak in each round would be much larger. */
  private static final int OTHER_DESCRIPTORS = 20;

  @TempDir static Path directory;

  private static final Random RANDOM = new Random(4711);
  private static Kdc kdc;
  private static PinnedHBase hbase;

  @BeforeAll
  static void start() throws Exception {
    // Tests before this one in the same JVM have taken the provider for no security.
    SaslClientAuthenticationProviders.reset();
    kdc = Kdc.start(directory, "bob");
    hbase =
        PinnedHBase.start(
            LocalCluster.builder()
                .directory(directory.resolve("cluster"))
                .shortCircuit(true)
                .kerberos(kdc.kerberos())
                .blockTokens(TOKENS)
                .beforeHBase(SecurePinsLiveTest::prepare),
            Map.of(
                PinOptions.POOL,
                POOL,
                PinOptions.INTERVAL,
                "1",
                "fs.hdfs.impl",
                ZeroCopyFileSystem.class.getName(),
                "hbase.coprocessor.user.region.classes",
                MappedBlocks.class.getName(),
                "hbase.hstore.engine.class",
                OffHeapReaderStoreEngine.class.getName(),
                // Unused entries are not kept, so every remaining entry is a leak.
                "dfs.fastpath.zcr.unmap-grace-millis",
                "100",
                "dfs.fastpath.zcr.idle-millis",
                "1000",
                "dfs.client.mmap.cache.size",
                "0",
                "dfs.client.read.shortcircuit.streams.cache.size",
                "0"),
            conf -> kdc.become("hbase/localhost", conf));
  }

  /** An operator's work as the superuser of HDFS. */
  private static void prepare(Map<String, String> client) throws IOException {
    try (DistributedFileSystem fs = kdc.makeHBaseRoot(client)) {
      for (String pool : List.of(POOL, TEST_POOL)) {
        fs.addCachePool(
            new CachePoolInfo(pool)
                .setOwnerName("hbase")
                .setMode(new FsPermission((short) 0755))
                .setLimit(8L << 20));
      }
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (hbase != null) {
      hbase.close();
    }
    kdc.close();
    SaslClientAuthenticationProviders.reset();
  }

  private static void create(TableName name, String policy) throws IOException {
    hbase.admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                    .setBlockCacheEnabled(false)
                    .build())
            .setValue(PinPolicy.ATTRIBUTE, policy)
            .build());
    List<Put> puts = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      puts.add(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, value(row)));
    }
    try (Table table = hbase.connection.getTable(name)) {
      table.put(puts);
    }
    hbase.admin.flush(name);
  }

  private static byte[] value(int row) {
    byte[] value = new byte[VALUE_BYTES];
    new Random(row).nextBytes(value);
    return value;
  }

  @Test
  @Order(1)
  void storeFilesArePinned() throws Exception {
    create(ALWAYS, "ALWAYS");
    Eventually.holds(() -> hbase.requireAllPinnedOnce(ALWAYS));
  }

  @Test
  @Order(2)
  void bobCannotReportNorUnpin() throws Exception {
    long id = hbase.pinned(ALWAYS).values().iterator().next().ids().get(0);
    byte[] report = new HeatReport("x", true, Set.of(), List.of(), new long[0]).toBytes();
    ServerName server = hbase.meta();
    asBob(
        () -> {
          try (Connection own = ConnectionFactory.createConnection(hbase.conf);
              Admin ownAdmin = own.getAdmin();
              DistributedFileSystem fs =
                  (DistributedFileSystem) FileSystem.newInstance(hbase.conf)) {
            assertThatThrownBy(
                    () -> PinEndpoint.call(ownAdmin.coprocessorService(server), "report", report))
                .hasMessageContaining("user bob may not report heat");
            assertThatThrownBy(() -> fs.removeCacheDirective(id))
                .isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> fs.removeCachePool(POOL))
                .isInstanceOf(AccessControlException.class);
          }
          return null;
        });
    hbase.requireAllPinnedOnce(ALWAYS);
  }

  private static void asBob(PrivilegedExceptionAction<Void> action) throws Exception {
    UserGroupInformation bob = kdc.login("bob");
    bob.doAs(action);
  }

  @Test
  @Order(3)
  void mappedReadsGoOnWhileKeysRollAndBlocksComeAndGo() throws Exception {
    create(TOGGLED, "NEVER");
    String file = hbase.storeFiles(TOGGLED).iterator().next();
    Set<Integer> keys = new HashSet<>();
    Kept least = new Kept(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
    int rounds = 0;
    for (long end = System.nanoTime() + TIME.toNanos();
        System.nanoTime() < end || keys.size() < 4;
        rounds++) {
      long directive = cache(file);
      keys.add(block(file).getBlockToken().decodeIdentifier().getKeyId());
      readMapped();
      hbase.fs.removeCacheDirective(directive);
      Eventually.holds(() -> assertThat(block(file).getCachedLocations()).isEmpty());
      least = least.min(readUnmapped(file));
    }
    System.out.printf(
        "%d rounds, %d keys of block tokens; kept at least: %s; at last: %s%n",
        rounds, keys.size(), least, readUnmapped(file));
    Kept limit = least;
    // HDFS's client releases slots one by one in a thread of its own. A leak would stay.
    Eventually.holds(
        () -> {
          Kept last = kept();
          assertThat(last.slots).as("slots").isLessThanOrEqualTo(limit.slots);
          assertThat(last.descriptors)
              .as("descriptors of the RegionServer")
              .isLessThanOrEqualTo(limit.descriptors + OTHER_DESCRIPTORS);
          assertThat(last.dataNodes)
              .as("descriptors of the DataNode")
              .isLessThanOrEqualTo(limit.dataNodes + OTHER_DESCRIPTORS);
        });
    for (String reason : List.of("malformed", "truncated")) {
      assertThat(number("MappedBlocks", reason + "BlockCount")).as(reason).isZero();
    }
    assertThat(number("MappedBlocks", "checksumMismatchCount")).isZero();
    hbase.requireAllPinnedOnce(ALWAYS);
  }

  /**
   * The resources of two processes.
   *
   * @param slots slots of replicas in shared memory that the DataNode says are valid
   * @param descriptors descriptors of the RegionServer
   * @param dataNodes those of the DataNode
   */
  private record Kept(int slots, int descriptors, int dataNodes) {
    Kept min(Kept other) {
      return new Kept(
          Math.min(slots, other.slots),
          Math.min(descriptors, other.descriptors),
          Math.min(dataNodes, other.dataNodes));
    }
  }

  private static long cache(String file) throws Exception {
    long directive =
        hbase.fs.addCacheDirective(
            new CacheDirectiveInfo.Builder()
                .setPool(TEST_POOL)
                .setPath(new org.apache.hadoop.fs.Path(file))
                .build());
    Eventually.holds(() -> assertThat(block(file).getCachedLocations()).isNotEmpty());
    return directive;
  }

  private static LocatedBlock block(String file) throws IOException {
    return hbase.fs.getClient().getLocatedBlocks(file, 0).get(0);
  }

  private static void readMapped() throws Exception {
    long before = number("MappedBlocks", "mappedBlockCount");
    Eventually.holds(
        () -> {
          read();
          assertThat(number("MappedBlocks", "mappedBlockCount")).isGreaterThan(before);
        });
  }

  /** Until nothing of the file is mapped or open for it. */
  private static Kept readUnmapped(String file) throws Exception {
    String replica = "/" + block(file).getBlock().getBlockName();
    long server = hbase.regionServer(0).pid();
    Eventually.holds(
        () -> {
          read();
          assertThat(Files.readAllLines(Path.of("/proc/" + server + "/maps")))
              .noneMatch(line -> line.contains(replica));
          assertThat(number("ZeroCopy", "sliceCount")).isZero();
        });
    return kept();
  }

  private static Kept kept() throws IOException {
    Daemon dataNode = hbase.cluster.daemon(Role.DATANODE, 0);
    return new Kept(
        SharedSlots.valid(dataNode.pid()),
        descriptors(hbase.regionServer(0).pid()),
        descriptors(dataNode.pid()));
  }

  private static int descriptors(long pid) throws IOException {
    try (var open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      return (int) open.count();
    }
  }

  private static void read() throws IOException {
    int[] rows = RANDOM.ints(GETS, 0, ROWS).toArray();
    try (Table table = hbase.connection.getTable(TOGGLED)) {
      Result[] results =
          table.get(Arrays.stream(rows).mapToObj(row -> new Get(Bytes.toBytes(row))).toList());
      for (int i = 0; i < GETS; i++) {
        assertThat(results[i].getValue(FAMILY, FAMILY)).isEqualTo(value(rows[i]));
      }
    }
  }

  private static long number(String source, String name) throws Exception {
    return PinnedHBase.metric(hbase.regionServer(0), source, name);
  }
}
