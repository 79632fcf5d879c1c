package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real HBase and an HMaster that keeps files on their tiers. After every change, a file is soon on
 * the tier of its rule.
 */
class TierKeeperLiveTest {
  private static final int ROWS = 200;
  private static final long LONG_AGO = TimeUnit.DAYS.toMillis(1_000);
  private static final byte[] MOB = Bytes.toBytes("m");
  private static final int ROUNDS = Boolean.getBoolean("nightly") ? 10 : 2;

  @TempDir static Path directory;

  private static TierCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = TierCluster.start(TierCluster.builder(directory.resolve("cluster")));
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Reads all rows again and again until it is closed; fails then if a row was not there once. */
  private static final class Reader implements AutoCloseable {
    private final TableName name;
    private final int rows;
    private final AtomicBoolean enough = new AtomicBoolean();
    private final AtomicInteger passes = new AtomicInteger();
    private final CompletableFuture<Void> reading;

    Reader(TableName name, int rows) {
      this.name = name;
      this.rows = rows;
      reading = CompletableFuture.runAsync(this::read);
    }

    private void read() {
      try (Table table = cluster.connection().getTable(name)) {
        while (!enough.get() || passes.get() == 0) {
          for (int row = 0; row < rows; row++) {
            byte[] value =
                table
                    .get(new Get(TierCluster.key(row)))
                    .getValue(TierCluster.FAMILY, TierCluster.QUALIFIER);
            assertThat(value).as("row %d", row).isEqualTo(TierCluster.value(row));
          }
          passes.incrementAndGet();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      enough.set(true);
      reading.join();
    }
  }

  private static void settles(TableName name) throws Exception {
    Eventually.holds(() -> assertThat(cluster.misplaced(name)).isEmpty());
  }

  private static void requireOn(StorageType type, TableName name) throws IOException {
    assertThat(cluster.typesBelow(cluster.directory(name))).containsExactly(type);
  }

  private static void settlesOn(StorageType type, TableName name) throws Exception {
    Eventually.holds(() -> requireOn(type, name));
  }

  @Test
  void filesFollowTheRulesFromFlushToTheArchiveOfADeletedTable() throws Exception {
    TableName name = TableName.valueOf("life");
    cluster.admin().createTable(TierCluster.threeTiers(name).build());
    cluster.flush(name, 0, ROWS);
    cluster.admin().snapshot("first", name);
    try (Reader reader = new Reader(name, ROWS)) {
      cluster.flush(name, ROWS, ROWS);
      requireOn(StorageType.SSD, name);
      cluster.admin().majorCompact(name);
      Eventually.holds(
          () -> assertThat(cluster.storeFiles(cluster.archive(name))).hasSizeGreaterThan(1));
      settles(name);
      requireOn(StorageType.DISK, name);

      cluster.admin().split(name, TierCluster.key(ROWS));
      Eventually.holds(() -> assertThat(cluster.admin().getRegions(name)).hasSize(2));
      cluster.flush(name, 2 * ROWS, ROWS);
      settles(name);
    }
    cluster.admin().snapshot("second", name);
    List<String> before = names(cluster.storeFiles(cluster.directory(name)));
    cluster.admin().disableTable(name);
    cluster.admin().deleteTable(name);
    Eventually.holds(
        () ->
            assertThat(names(cluster.storeFiles(cluster.archive(name))))
                .isNotEmpty()
                .containsAll(before));
    settles(name);

    TableName clone = TableName.valueOf("clone");
    cluster.admin().cloneSnapshot("second", clone);
    try (Reader reader = new Reader(clone, 3 * ROWS)) {
      assertThat(cluster.typesBelow(cluster.archive(name))).containsOnly(StorageType.ARCHIVE);
    }
  }

  private static List<String> names(List<FileStatus> files) {
    return files.stream().map(file -> file.getPath().getName()).toList();
  }

  @Test
  void whatIsOldIsColdWhoeverWroteIt() throws Exception {
    TableName name = TableName.valueOf("old");
    cluster
        .admin()
        .createTable(
            TierCluster.table(name)
                .setValue(TierRules.FLUSH, "ALL_SSD")
                .setValue(AtRestRules.COLD, "COLD")
                .setValue(AtRestRules.COLD_AGE, "900d")
                .setCompactionEnabled(false)
                .build());
    cluster.put(name, 0, ROWS, System.currentTimeMillis() - LONG_AGO);
    cluster.admin().flush(name);
    settlesOn(StorageType.ARCHIVE, name);
    cluster.flush(name, ROWS, ROWS);
    bulkLoad(name, 2 * ROWS);
    Eventually.holds(
        () ->
            assertThat(types(name))
                .containsExactlyInAnyOrder(
                    StorageType.ARCHIVE, StorageType.ARCHIVE, StorageType.SSD));
  }

  /** Of each file the only one. */
  private static List<StorageType> types(TableName name) throws IOException {
    List<StorageType> types = new ArrayList<>();
    for (FileStatus file : cluster.storeFiles(cluster.directory(name))) {
      types.addAll(cluster.types(file));
    }
    return types;
  }

  private static void bulkLoad(TableName name, int row) throws IOException {
    Configuration conf = cluster.conf();
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/staged/f/one");
    StoreFileWriter writer =
        new StoreFileWriter.Builder(conf, cluster.fs())
            .withFilePath(file)
            .withFileContext(new HFileContextBuilder().build())
            .build();
    writer.append(
        new KeyValue(
            TierCluster.key(row),
            TierCluster.FAMILY,
            TierCluster.QUALIFIER,
            1L,
            TierCluster.value(row)));
    writer.appendTrackedTimestampsToMetadata();
    writer.close();
    BulkLoadHFiles.create(conf).bulkLoad(name, Map.of(TierCluster.FAMILY, List.of(file)));
  }

  @Test
  void whatIsReadOftenIsHotAndNoLongerWhenItIsNot() throws Exception {
    TableName name = TableName.valueOf("read");
    cluster
        .admin()
        .createTable(
            TierCluster.table(name)
                .setValue(AtRestRules.HOT, "ALL_SSD")
                .setValue(AtRestRules.HOT_READS, "10")
                .build());
    cluster.flush(name, 0, ROWS);
    requireOn(StorageType.DISK, name);
    try (Reader reader = new Reader(name, ROWS)) {
      settlesOn(StorageType.SSD, name);
    }
    settlesOn(StorageType.DISK, name);
  }

  @Test
  void aChangeOfARuleOrOfAPolicyByHandIsCorrected() throws Exception {
    TableName name = TableName.valueOf("changed");
    cluster.admin().createTable(TierCluster.table(name).build());
    cluster.flush(name, 0, ROWS);
    requireOn(StorageType.DISK, name);
    cluster
        .admin()
        .modifyTable(TierCluster.table(name).setValue(TierRules.FLUSH, "ALL_SSD").build());
    settlesOn(StorageType.SSD, name);
    FileStatus file = cluster.storeFiles(cluster.directory(name)).get(0);
    cluster.fs().setStoragePolicy(file.getPath(), "COLD");
    Eventually.holds(
        () ->
            assertThat(cluster.fs().getStoragePolicy(file.getPath()).getName())
                .isEqualTo("ALL_SSD"));
    Eventually.holds(
        () -> {
          requireOn(StorageType.SSD, name);
          assertThat(metric("sub=TierKeeping", "misplacedBytes")).isZero();
          assertThat(metric("sub=TierKeeping", "policyChangeCount")).isPositive();
          assertThat(metric("sub=TierKeeping", "failedFileCount")).isZero();
          assertThat(metric("sub=TierKeepingTables", "storedBytes")).isPositive();
        });
  }

  /**
   * HBase sets the policy of a region's directory each time it opens the region (HBASE-27129), and
   * later versions that of the MOB directory (HBASE-28177). Beside them each file gets its place
   * once.
   */
  @Test
  void policiesOfRegionAndMobDirectoriesMoveNoFileBack() throws Exception {
    List<TableName> tables = List.of(TableName.valueOf("inherits"), TableName.valueOf("overrides"));
    createWithMob(withRegionPolicy(tables.get(0), "ALL_SSD").setValue(AtRestRules.COLD, "COLD"));
    createWithMob(
        withRegionPolicy(tables.get(1), "COLD")
            .setValue(AtRestRules.COLD, "HOT")
            .setValue(TierRules.FLUSH, "ALL_SSD")
            .setValue(TierRules.MOB, "COLD"));
    for (TableName name : tables) {
      flushWithMob(name, 0, System.currentTimeMillis());
      cluster.admin().majorCompact(name);
      Eventually.holds(() -> assertThat(places(cluster.archive(name))).isNotEmpty());
      flushWithMob(name, 1, System.currentTimeMillis() - LONG_AGO);
    }
    Eventually.holds(
        () -> {
          requirePlaces(
              tables.get(0),
              Set.of("ALL_SSD [SSD]", "COLD [ARCHIVE]"),
              // HBase writes MOB files elsewhere and renames them. No rule is about this one.
              Set.of("ALL_SSD [DISK]", "COLD [ARCHIVE]"));
          Set<String> both = Set.of("COLD [ARCHIVE]", "HOT [DISK]");
          requirePlaces(tables.get(1), both, both);
          assertThat(metric("sub=TierKeeping", "misplacedBytes")).isZero();
        });
    Map<String, String> settled = places(tables);
    List<Long> done = policiesAndMoves();
    for (int round = 0; round < ROUNDS; round++) {
      long listed = metric("sub=TierKeeping", "mobFileCount");
      for (TableName name : tables) {
        cluster.admin().disableTable(name);
        cluster.admin().enableTable(name);
        flushWithMob(name, 2 + round, System.currentTimeMillis());
      }
      Eventually.holds(
          () ->
              assertThat(metric("sub=TierKeeping", "mobFileCount"))
                  .isEqualTo(listed + tables.size()));
      Map<String, String> now = places(tables);
      assertThat(now).as("after round %d", round).containsAllEntriesOf(settled);
      settled = now;
    }
    assertThat(policiesAndMoves()).isEqualTo(done);
  }

  /** A table whose regions get a policy when they are opened, and that is compacted by hand. */
  private static TableDescriptorBuilder withRegionPolicy(TableName name, String policy) {
    return TierCluster.table(name)
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(MOB)
                .setMobEnabled(true)
                .setMobThreshold(ROWS)
                .build())
        .setValue(HRegion.REGION_STORAGE_POLICY_KEY, policy)
        .setValue("hbase.hstore.compaction.min", "100")
        .setValue("hbase.hstore.blockingStoreFiles", "100")
        .setValue(AtRestRules.COLD_AGE, "900d")
        .setValue(AtRestRules.ARCHIVE, "COLD")
        .setValue(AtRestRules.ARCHIVE_AGE, "0");
  }

  /** Creates it, and sets the policy of its MOB directory as later versions of HBase do. */
  private static void createWithMob(TableDescriptorBuilder table) throws IOException {
    cluster.admin().createTable(table.build());
    org.apache.hadoop.fs.Path mob = mobDirectory(table.build().getTableName());
    cluster.fs().mkdirs(mob);
    cluster.fs().setStoragePolicy(mob, "ALL_SSD");
  }

  private static org.apache.hadoop.fs.Path mobDirectory(TableName name) {
    return MobUtils.getMobRegionPath(cluster.conf(), name);
  }

  /** Flushes a small cell and one that goes to a MOB file. */
  private static void flushWithMob(TableName name, int row, long timestamp) throws IOException {
    try (Table table = cluster.connection().getTable(name)) {
      table.put(
          new Put(TierCluster.key(row))
              .addColumn(TierCluster.FAMILY, TierCluster.QUALIFIER, timestamp, MOB)
              .addColumn(MOB, TierCluster.QUALIFIER, timestamp, new byte[2 * ROWS]));
    }
    cluster.admin().flush(name);
  }

  /** Store files and MOB files are at all of these places, archived ones in the archive. */
  private static void requirePlaces(TableName name, Set<String> store, Set<String> mob)
      throws IOException {
    assertThat(Set.copyOf(places(cluster.directory(name)).values())).isEqualTo(store);
    assertThat(Set.copyOf(places(mobDirectory(name)).values())).isEqualTo(mob);
    assertThat(places(cluster.archive(name)).values()).containsOnly("COLD [ARCHIVE]");
  }

  private static Map<String, String> places(List<TableName> tables) throws IOException {
    Map<String, String> places = new TreeMap<>();
    for (TableName name : tables) {
      places.putAll(places(cluster.directory(name)));
      places.putAll(places(mobDirectory(name)));
    }
    return places;
  }

  /** Policy and types of volumes of each file of a directory, MOB files included. */
  private static Map<String, String> places(org.apache.hadoop.fs.Path directory)
      throws IOException {
    Map<String, String> places = new TreeMap<>();
    for (FileStatus file : cluster.filesBelow(directory)) {
      org.apache.hadoop.fs.Path path = file.getPath();
      if (StoreFileInfo.isHFile(path) || StoreFileInfo.isMobFile(path)) {
        places.put(
            path.toUri().getPath(),
            cluster.fs().getStoragePolicy(path).getName() + " " + cluster.types(file));
      }
    }
    return places;
  }

  private static List<Long> policiesAndMoves() throws IOException {
    return List.of(
        metric("sub=TierKeeping", "policyChangeCount"),
        metric("sub=TierKeeping", "moveRequestCount"));
  }

  private static long metric(String bean, String attribute) throws IOException {
    Daemon master = cluster.processes().daemon(Role.MASTER, 0);
    return master
        .jmxAttribute("Hadoop:service=HBase,name=Master," + bean, attribute)
        .map(Long::parseLong)
        .orElse(-1L);
  }

  @Test
  void thePlanShowsWhatWouldBeDone() throws Exception {
    TableName name = TableName.valueOf("planned");
    cluster.admin().createTable(TierCluster.table(name).build());
    cluster.flush(name, 0, ROWS);
    Path conf = Files.createDirectory(directory.resolve("conf"));
    Configuration site = new Configuration(false);
    cluster.processes().clientConfiguration().forEach(site::set);
    site.set(TierRules.FLUSH, "COLD");
    try (OutputStream out = Files.newOutputStream(conf.resolve("hbase-site.xml"))) {
      site.writeXml(out);
    }
    List<String> lines = command(0, "plan", "--conf", conf.toString(), "planned", "absent");
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).startsWith("table");
    assertThat(lines.get(1))
        .matches("planned +f +flushed +1 +DISK \\S+ .?B +HOT +COLD +1 files, \\S+ .?B");
    assertThat(lines.get(2)).matches("1 files would get another policy, \\S+ .?B of 1 files .*");
    requireOn(StorageType.DISK, name);
    assertThat(command(2, "plane").get(0)).startsWith("usage: tiers plan");
  }

  private static List<String> command(int exitCode, String... args) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    assertThat(new TiersCommand(out).run(List.of(args))).isEqualTo(exitCode);
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void wrongRulesAreRefused() {
    TableName name = TableName.valueOf("wrong");
    for (Map.Entry<String, String> rule :
        Map.of("arkive", "COLD", "cold", "ALL_NVDIMM", "hot", "WARMISH", "cold-age", "soon")
            .entrySet()) {
      String key = TierRules.PREFIX + rule.getKey();
      assertThatThrownBy(
              () ->
                  cluster
                      .admin()
                      .createTable(TierCluster.table(name).setValue(key, rule.getValue()).build()))
          .hasMessageContaining(key + " is " + rule.getValue() + ", allowed is ");
    }
  }
}
