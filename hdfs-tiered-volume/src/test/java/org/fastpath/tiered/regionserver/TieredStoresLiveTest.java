package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.KeyValue;
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
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.fastpath.tiered.InvalidValueException;
import org.fastpath.tiered.datanode.move.FileMover;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real HBase on a DataNode with volumes of three types. New store files are on the type that the
 * rules of their table name.
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
  private static final String NVDIMM = "ALL_NVDIMM";
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
            // Compacted files leave the store soon, not after two minutes.
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
                                TieredStores.class.getName(),
                                "hbase.wal.storage.policy",
                                "LUKEWARM")))
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

  /** By day each tracker and each engine, at night each with each. */
  static Stream<Arguments> stores() {
    Stream<Arguments> some =
        Stream.of(
            arguments("FILE", "DefaultStoreEngine"),
            arguments("DEFAULT", "StripeStoreEngine"),
            arguments("FILE", "DateTieredStoreEngine"));
    Stream<Arguments> others =
        Stream.of(
            arguments("DEFAULT", "DefaultStoreEngine"),
            arguments("FILE", "StripeStoreEngine"),
            arguments("DEFAULT", "DateTieredStoreEngine"));
    return Boolean.getBoolean("nightly") ? Stream.concat(some, others) : some;
  }

  @ParameterizedTest
  @MethodSource("stores")
  void flushesAndCompactionsGoToTheirTiers(String tracker, String engine) throws Exception {
    TableName name = TableName.valueOf(tracker + "-" + engine);
    create(
        table(name)
            .setValue("hbase.store.file-tracker.impl", tracker)
            .setValue("hbase.hstore.engine.class", ENGINES + engine)
            .setValue(TierRules.FLUSH, "ALL_SSD")
            .setValue(TierRules.COMPACTION, "COLD")
            .setValue(TierFormat.ENCODING + "COLD", "fast_diff")
            .setValue(TierFormat.BLOCK_SIZE + "COLD", "8k"));
    flush(name, 0, 2);
    assertThat(types(name)).containsOnly(Set.of(StorageType.SSD));
    Set<String> flushed = new HashSet<>(names(name));

    flush(name, 2, FILES);
    admin.majorCompact(name);
    Eventually.holds(
        () -> assertThat(names(name)).isNotEmpty().doesNotContainAnyElementsOf(flushed));
    Eventually.holds(() -> assertThat(types(name)).containsOnly(Set.of(StorageType.ARCHIVE)));
    for (FileStatus file : files(name)) {
      try (HFile.Reader reader = reader(file)) {
        assertThat(reader.getDataBlockEncoding()).isEqualTo(DataBlockEncoding.FAST_DIFF);
        assertThat(reader.getTrailer().getTotalUncompressedBytes())
            .isLessThan((reader.getTrailer().getDataIndexCount() + 1) * (16L << 10));
      }
    }
    requireRows(name, FILES * MANY);
  }

  @Test
  void aTableThatChangesItsTrackerKeepsItsRules() throws Exception {
    TableName name = TableName.valueOf("migrating");
    TableDescriptorBuilder table =
        table(name).setValue(TierRules.FLUSH, "ALL_SSD").setValue(TierRules.COMPACTION, "COLD");
    create(table.setValue("hbase.store.file-tracker.impl", "DEFAULT"));
    flush(name, 0, 1);
    admin.modifyTable(
        table
            .setValue("hbase.store.file-tracker.impl", "MIGRATION")
            .setValue("hbase.store.file-tracker.migration.src.impl", "DEFAULT")
            .setValue("hbase.store.file-tracker.migration.dst.impl", "FILE")
            .build());
    flush(name, 1, 2);
    assertThat(types(name)).hasSize(2).containsOnly(Set.of(StorageType.SSD));
    admin.majorCompact(name);
    Eventually.holds(() -> assertThat(types(name)).containsExactly(Set.of(StorageType.ARCHIVE)));
    admin.modifyTable(
        table
            .setValue("hbase.store.file-tracker.impl", "FILE")
            .removeValue("hbase.store.file-tracker.migration.src.impl")
            .removeValue("hbase.store.file-tracker.migration.dst.impl")
            .build());
    requireRows(name, 2 * MANY);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void filesWithoutARuleAreWrittenInLargePackets(boolean mob) throws Exception {
    TableName name = TableName.valueOf("plain-" + mob);
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
            .setMobEnabled(mob)
            .setMobThreshold(VALUE_BYTES / 2);
    create(TableDescriptorBuilder.newBuilder(name).setColumnFamily(family.build()));
    long before = settledCount();
    flush(name, 0, 2);
    Set<String> flushed = new HashSet<>(names(name));
    admin.majorCompact(name);
    Eventually.holds(() -> assertThat(names(name)).hasSize(1).doesNotContainAnyElementsOf(flushed));
    // With MOB cells, each flush and compaction writes two files.
    Eventually.holds(
        () -> assertThat(count("largePacketFileCount") - before).isEqualTo(mob ? 6 : 3));
    assertThat(count("largePacketFailureCount")).isZero();
    requireRows(name, 2 * MANY);
  }

  /** Returns the count of files once it does not change: JMX shows older ones for a while. */
  private static long settledCount() throws Exception {
    AtomicLong last = new AtomicLong(-1);
    Eventually.holds(
        () -> {
          long now = count("largePacketFileCount");
          TimeUnit.SECONDS.sleep(2);
          assertThat(last.getAndSet(now)).isEqualTo(now);
        });
    return last.get();
  }

  private static long count(String metric) throws Exception {
    return Eventually.shown(
        cluster.daemon(Role.REGIONSERVER, 0),
        "Hadoop:service=HBase,name=RegionServer,sub=Tiering",
        metric);
  }

  /** The family's own policy is set anew on the directory with each file that is created there. */
  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void mobFilesGoToTheirTier(String tracker) throws Exception {
    TableName name = TableName.valueOf("mob-" + tracker);
    create(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                    .setMobEnabled(true)
                    .setMobThreshold(VALUE_BYTES / 2)
                    .setStoragePolicy("HOT")
                    .build())
            .setValue("hbase.store.file-tracker.impl", tracker)
            .setValue("hbase.mob.compaction.type", "optimized")
            .setValue("hbase.mob.compactions.max.file.size", "400000")
            .setValue(TierRules.FLUSH, "ALL_SSD")
            .setValue(TierRules.MOB, "COLD"));
    flush(name, 0, 2);
    assertThat(types(name)).containsOnly(Set.of(StorageType.SSD));
    assertThat(mobTypes(name)).hasSize(2).containsOnly(Set.of(StorageType.ARCHIVE));
    admin.majorCompact(name);
    Eventually.holds(() -> assertThat(types(name)).containsExactly(Set.of(StorageType.DISK)));
    assertThat(mobTypes(name)).hasSizeGreaterThan(2).containsOnly(Set.of(StorageType.ARCHIVE));
    requireRows(name, 2 * MANY);
  }

  private static List<Set<StorageType>> mobTypes(TableName name) throws IOException {
    org.apache.hadoop.fs.Path directory =
        MobUtils.getMobFamilyPath(connection.getConfiguration(), name, Bytes.toString(FAMILY));
    List<Set<StorageType>> types = new ArrayList<>();
    for (FileStatus file : fs.listStatus(directory)) {
      types.add(typesOf(file));
    }
    return types;
  }

  @ParameterizedTest
  @CsvSource({"DEFAULT, true", "FILE, true", "FILE, false"})
  void whatIsBulkLoadedIsMovedToItsTier(String tracker, boolean sameFileSystem) throws Exception {
    TableName name = TableName.valueOf("loaded-" + tracker + "-" + sameFileSystem);
    create(
        table(name)
            .setValue("hbase.store.file-tracker.impl", tracker)
            .setValue(TierRules.BULK_LOAD, "ALL_SSD"));
    Configuration conf = connection.getConfiguration();
    FileSystem source = sameFileSystem ? fs : FileSystem.getLocal(conf);
    org.apache.hadoop.fs.Path loaded =
        source.makeQualified(
            new org.apache.hadoop.fs.Path(directory.toString(), name.getNameAsString()));
    writeFile(source, new org.apache.hadoop.fs.Path(loaded, Bytes.toString(FAMILY) + "/file"));
    assertThat(BulkLoadHFiles.create(conf).bulkLoad(name, loaded)).isNotEmpty();
    for (FileStatus file : files(name)) {
      assertThat(fs.getStoragePolicy(file.getPath()).getName()).isEqualTo("ALL_SSD");
    }
    try (FileMover mover = FileMover.open(conf)) {
      mover.start();
      Eventually.holds(() -> assertThat(types(name)).containsExactly(Set.of(StorageType.SSD)));
    }
    requireRows(name, MANY);
  }

  private static void writeFile(FileSystem source, org.apache.hadoop.fs.Path file)
      throws IOException {
    try (HFile.Writer writer =
        HFile.getWriterFactory(connection.getConfiguration(), CacheConfig.DISABLED)
            .withPath(source, file)
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      for (int row = 0; row < MANY; row++) {
        writer.append(new KeyValue(key(row), FAMILY, QUALIFIER, new byte[VALUE_BYTES]));
      }
    }
  }

  @Test
  void whatIsOldIsCompactedToItsTier() throws Exception {
    TableName name = TableName.valueOf("old");
    create(
        table(name)
            .setValue(TierRules.OLD, "COLD")
            .setValue(TierRules.OLD_AGE, "1h")
            .setValue(TierRules.COMPACTION, "ALL_SSD"));
    long old = System.currentTimeMillis() - TimeUnit.HOURS.toMillis(1);
    try (Table table = connection.getTable(name)) {
      table.put(new Put(key(0), old).addColumn(FAMILY, QUALIFIER, new byte[VALUE_BYTES]));
      admin.flush(name);
      admin.majorCompact(name);
      Eventually.holds(() -> assertThat(types(name)).containsExactly(Set.of(StorageType.ARCHIVE)));
      table.put(new Put(key(1)).addColumn(FAMILY, QUALIFIER, new byte[VALUE_BYTES]));
      admin.flush(name);
      admin.majorCompact(name);
      Eventually.holds(() -> assertThat(types(name)).containsExactly(Set.of(StorageType.SSD)));
    }
  }

  /** The log is written all the same; HBase itself says nothing. */
  @Test
  void aPolicyOfTheWalThatIsNotThereIsCounted() throws Exception {
    Eventually.holds(
        () ->
            assertThat(
                    cluster
                        .daemon(Role.REGIONSERVER, 0)
                        .jmxAttribute(
                            "Hadoop:service=HBase,name=RegionServer,sub=Tiering",
                            "misconfiguredWalCount"))
                .hasValue("1"));
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.wal.storage.policy, LUKEWARM, one of ALL_",
    "hbase.fastpath.tiering.flush, LUKEWARM, one of ALL_",
    "hbase.fastpath.tiering.flsuh, HOT, the keys are",
    "hbase.fastpath.tiering.packet-size, 8g, from 0 to 4194304"
  })
  void anHMasterWithAWrongPolicyDoesNotStart(String key, String value, String why) {
    Configuration site = new Configuration(connection.getConfiguration());
    site.set(key, value);
    CoprocessorEnvironment<?> environment =
        (CoprocessorEnvironment<?>)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {CoprocessorEnvironment.class},
                (proxy, method, arguments) -> site);
    assertThatThrownBy(() -> new TierRulesChecker().start(environment))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith(key + " is " + value + ", allowed is ")
        .hasMessageContaining(why);
  }

  @Test
  void aCompactionOfSomeFilesHasARuleOfItsOwn() throws Exception {
    TableName name = TableName.valueOf("minor");
    create(
        table(name)
            .setValue(TierRules.FLUSH, "ALL_SSD")
            .setValue(TierRules.COMPACTION, "COLD")
            .setValue(TierFormat.COMPRESSION + "COLD", "gz")
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
    "flush, LAZY_PERSIST, any other policy",
    "compaction, ALL_NVDIMM, volumes that live DataNodes have",
    "compactoin, HOT, the keys are",
    "packet-size, 1m, the keys are",
    "large-compaction-size, lots, from 1048576 to",
    "large-compaction-size, 1g, nothing without hbase.fastpath.tiering.large-compaction",
    "compression.COLD, gz, nothing: policies of flushes and compactions are none",
    "mob, COLD, nothing without a family that has MOB files"
  })
  void aTableWithAWrongRuleIsRefused(String key, String value, String why) throws IOException {
    boolean nvdimm = fs.getAllStoragePolicies().stream().anyMatch(p -> p.getName().equals(NVDIMM));
    assumeTrue(nvdimm || !value.equals(NVDIMM), "the policy is in Hadoop 3.4");
    TableName name = TableName.valueOf("refused");
    assertThatThrownBy(() -> create(table(name).setValue(TierRules.PREFIX + key, value)))
        .hasMessageContaining(TierRules.PREFIX + key + " is " + value + ", allowed is ")
        .hasMessageContaining(why);
    assertThat(admin.tableExists(name)).isFalse();
  }

  /** Only superusers of HDFS may list volumes, and HBase's user need not be one. */
  @Test
  void aUserWhoMayNotSeeVolumesIsToldOfPolicies() throws Exception {
    Configuration conf = connection.getConfiguration();
    UserGroupInformation.createRemoteUser("hbase")
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (FileSystem own = FileSystem.newInstance(conf)) {
                    TierCheck check = new TierCheck(own);
                    check.require(rules("PROVIDED").policies());
                    assertThatThrownBy(() -> check.require(rules("LUKEWARM").policies()))
                        .hasMessageContaining("LUKEWARM, allowed is one of ALL_");
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

  /** Returns the types of each file; none if a compaction is taking files away. */
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
    return TierCluster.types(fs, file);
  }

  private static Compression.Algorithm compression(FileStatus file) throws IOException {
    try (HFile.Reader reader = reader(file)) {
      return reader.getFileContext().getCompression();
    }
  }

  private static HFile.Reader reader(FileStatus file) throws IOException {
    return HFile.createReader(
        fs, file.getPath(), CacheConfig.DISABLED, true, connection.getConfiguration());
  }
}
