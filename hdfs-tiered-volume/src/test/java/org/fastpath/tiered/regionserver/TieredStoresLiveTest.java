package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Real HBase on a DataNode with volumes of three types: store files are on the type that the rules
 * of their table say, as soon as they are written.
 */
class TieredStoresLiveTest {
  private static final Path OURS = Path.of("target", "classes").toAbsolutePath();
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int MANY = 1_000;

  /** As many as the engine with stripes waits for. */
  private static final int FILES = 4;

  private static final int FEW = 5;
  private static final int VALUE_BYTES = 200;
  private static final String ENGINES = "org.apache.hadoop.hbase.regionserver.";

  @TempDir static Path directory;

  private static LocalCluster cluster;
  private static Connection connection;
  private static Admin admin;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.builder()
            .directory(directory.resolve("cluster"))
            .volumes("[DISK]", "[SSD]", "[ARCHIVE]")
            // Files are compacted by their sizes, however small they are.
            .conf("hbase.hstore.compaction.min.size", "1000")
            // What a compaction has read leaves the store soon, not within two minutes.
            .conf("hbase.hfile.compaction.discharger.interval", "1000")
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .daemon(
                Role.MASTER,
                options ->
                    options
                        .prependToClasspath(OURS)
                        .quickStart()
                        .conf(
                            Map.of(
                                "hbase.coprocessor.master.classes",
                                TierRulesChecker.class.getName())))
            .daemon(
                Role.REGIONSERVER,
                options ->
                    options
                        .prependToClasspath(OURS)
                        .heap("512m")
                        .quickStart()
                        .conf(
                            Map.of(
                                "hbase.coprocessor.user.region.classes",
                                TieredStores.class.getName())))
            .start();
    Configuration configuration = new Configuration();
    cluster.clientConfiguration().forEach(configuration::set);
    connection = ConnectionFactory.createConnection(configuration);
    admin = connection.getAdmin();
    fs = (DistributedFileSystem) FileSystem.newInstance(configuration);
  }

  @AfterAll
  static void stop() throws IOException {
    if (connection != null) {
      admin.close();
      connection.close();
      fs.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "DEFAULT, DefaultStoreEngine",
    "FILE, DefaultStoreEngine",
    "DEFAULT, StripeStoreEngine",
    "FILE, StripeStoreEngine",
    "DEFAULT, DateTieredStoreEngine",
    "FILE, DateTieredStoreEngine"
  })
  void flushesAndCompactionsGoToTheirTiers(String tracker, String engine) throws Exception {
    TableName name = TableName.valueOf(tracker + "-" + engine);
    create(
        table(name)
            .setValue("hbase.store.file-tracker.impl", tracker)
            .setValue("hbase.hstore.engine.class", ENGINES + engine)
            .setValue(TierRules.FLUSH, "ALL_SSD")
            .setValue(TierRules.COMPACTION, "COLD"));
    flush(name, 0, 2);
    assertThat(types(name)).containsOnly(Set.of(StorageType.SSD));
    Set<String> flushed = new HashSet<>(names(name));

    flush(name, 2, FILES);
    admin.majorCompact(name);
    Eventually.holds(
        () -> assertThat(names(name)).isNotEmpty().doesNotContainAnyElementsOf(flushed));
    Eventually.holds(() -> assertThat(types(name)).containsOnly(Set.of(StorageType.ARCHIVE)));
    requireRows(name, FILES * MANY);
  }

  @Test
  void aCompactionOfSomeFilesHasARuleOfItsOwn() throws Exception {
    TableName name = TableName.valueOf("minor");
    create(
        table(name)
            .setValue(TierRules.FLUSH, "ALL_SSD")
            .setValue(TierRules.COMPACTION, "COLD")
            .setValue(TierRules.COMPRESSION + "COLD", "gz")
            .setValue(TierRules.MAJOR, "HOT"));
    put(name, 0, MANY);
    admin.flush(name);
    admin.majorCompact(name);
    Eventually.holds(() -> assertThat(types(name)).containsExactly(Set.of(StorageType.DISK)));
    for (int file = 1; file <= 3; file++) {
      put(name, file * MANY, FEW);
      admin.flush(name);
    }
    admin.compact(name);
    Eventually.holds(
        () ->
            assertThat(types(name))
                .containsExactlyInAnyOrder(Set.of(StorageType.DISK), Set.of(StorageType.ARCHIVE)));
    for (FileStatus file : files(name)) {
      boolean cold = typesOf(file).contains(StorageType.ARCHIVE);
      assertThat(compression(file))
          .isEqualTo(cold ? Compression.Algorithm.GZ : Compression.Algorithm.NONE);
    }
  }

  @Test
  void whatALogKeptIsFlushedToItsTier() throws Exception {
    TableName name = TableName.valueOf("replayed");
    create(table(name).setValue(TierRules.FLUSH, "ALL_SSD"));
    put(name, 0, MANY);
    cluster.daemon(Role.REGIONSERVER, 0).kill();
    cluster.daemon(Role.REGIONSERVER, 0).restart();
    requireRows(name, MANY);
    assertThat(types(name)).isNotEmpty().containsOnly(Set.of(StorageType.SSD));
  }

  @Test
  void aFamilysRuleGoesBeforeItsTables() throws Exception {
    TableName name = TableName.valueOf("families");
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name)
            .setValue(TierRules.FLUSH, "ALL_SSD")
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                    .setConfiguration(TierRules.FLUSH, "COLD")
                    .build())
            .build();
    admin.createTable(table);
    put(name, 0, FEW);
    admin.flush(name);
    assertThat(types(name)).containsOnly(Set.of(StorageType.ARCHIVE));
  }

  @ParameterizedTest
  @CsvSource({
    "flush, WARMISH, ALL_SSD",
    "flush, LAZY_PERSIST, any policy but this",
    "compaction, ALL_NVDIMM, volumes that live DataNodes have",
    "compactoin, HOT, the keys are",
    "large-compaction-size, lots, from 1048576 to"
  })
  void aTableWithAWrongRuleIsRefused(String key, String value, String why) throws IOException {
    TableName name = TableName.valueOf("refused");
    assertThatThrownBy(() -> create(table(name).setValue(TierRules.PREFIX + key, value)))
        .hasMessageContaining(TierRules.PREFIX + key + " is " + value + ", allowed is ")
        .hasMessageContaining(why);
    assertThat(admin.tableExists(name)).isFalse();
  }

  /** Volumes are told to superusers of HDFS only, which HBase's user need not be. */
  @Test
  void aUserWhoMayNotSeeVolumesIsToldOfPolicies() throws Exception {
    Configuration conf = connection.getConfiguration();
    UserGroupInformation.createRemoteUser("hbase")
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (FileSystem own = FileSystem.newInstance(conf)) {
                    TierCheck check = new TierCheck(own);
                    check.require(rules("ALL_NVDIMM"));
                    assertThatThrownBy(() -> check.require(rules("LUKEWARM")))
                        .hasMessageContaining("LUKEWARM, allowed is one of ALL_NVDIMM");
                  }
                  return null;
                });
  }

  private static TierRules rules(String flush) {
    Configuration store = new Configuration(false);
    store.set(TierRules.FLUSH, flush);
    return TierRules.of(store);
  }

  @Test
  void anAlterationWithAWrongRuleIsRefused() throws IOException {
    TableName name = TableName.valueOf("altered");
    create(table(name));
    assertThatThrownBy(
            () -> admin.modifyTable(table(name).setValue(TierRules.MAJOR, "LUKEWARM").build()))
        .hasMessageContaining(TierRules.MAJOR + " is LUKEWARM, allowed is ");
    assertThat(admin.getDescriptor(name).getValue(TierRules.MAJOR)).isNull();
  }

  private static TableDescriptorBuilder table(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
  }

  private static void create(TableDescriptorBuilder table) throws IOException {
    admin.createTable(table.build());
  }

  private static void put(TableName name, int first, int count) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int row = first; row < first + count; row++) {
      puts.add(new Put(key(row)).addColumn(FAMILY, QUALIFIER, new byte[VALUE_BYTES]));
    }
    try (Table table = connection.getTable(name)) {
      table.put(puts);
    }
  }

  private static void flush(TableName name, int first, int end) throws IOException {
    for (int file = first; file < end; file++) {
      put(name, file * MANY, MANY);
      admin.flush(name);
    }
  }

  private static byte[] key(int row) {
    return Bytes.toBytes(String.format("%08d", row));
  }

  private static void requireRows(TableName name, int count) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (int row = 0; row < count; row++) {
      gets.add(new Get(key(row)));
    }
    try (Table table = connection.getTable(name)) {
      assertThat(table.get(gets))
          .allSatisfy(
              result -> assertThat(result.getValue(FAMILY, QUALIFIER)).hasSize(VALUE_BYTES));
    }
  }

  private static List<FileStatus> files(TableName name) throws IOException {
    Configuration conf = connection.getConfiguration();
    org.apache.hadoop.fs.Path table =
        CommonFSUtils.getTableDir(CommonFSUtils.getRootDir(conf), name);
    String region = admin.getRegions(name).get(0).getEncodedName();
    org.apache.hadoop.fs.Path store =
        new org.apache.hadoop.fs.Path(
            new org.apache.hadoop.fs.Path(table, region), Bytes.toString(FAMILY));
    return Stream.of(fs.listStatus(store)).filter(FileStatus::isFile).toList();
  }

  private static List<String> names(TableName name) throws IOException {
    return files(name).stream().map(file -> file.getPath().getName()).toList();
  }

  /** The types of each file; none if a compaction is taking files away. */
  private static List<Set<StorageType>> types(TableName name) throws IOException {
    List<Set<StorageType>> types = new ArrayList<>();
    try {
      for (FileStatus file : files(name)) {
        types.add(typesOf(file));
      }
    } catch (FileNotFoundException e) {
      return List.of();
    }
    return types;
  }

  private static Set<StorageType> typesOf(FileStatus file) throws IOException {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    for (LocatedBlock block :
        fs.getClient()
            .getLocatedBlocks(file.getPath().toUri().getPath(), 0, file.getLen())
            .getLocatedBlocks()) {
      types.addAll(List.of(block.getStorageTypes()));
    }
    return types;
  }

  private static Compression.Algorithm compression(FileStatus file) throws IOException {
    Configuration conf = connection.getConfiguration();
    try (HFile.Reader reader =
        HFile.createReader(fs, file.getPath(), CacheConfig.DISABLED, true, conf)) {
      return reader.getFileContext().getCompression();
    }
  }
}
