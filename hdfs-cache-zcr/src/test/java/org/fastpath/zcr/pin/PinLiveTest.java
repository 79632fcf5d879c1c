package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real RegionServer that pins its store files, and a DataNode that locks memory. Pins follow
 * reads. During a compaction, something is always pinned. A restarted server continues with the
 * existing pins. A server whose pool allows no pins serves as well.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PinLiveTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final TableName ALWAYS = TableName.valueOf("always");
  private static final TableName AUTO = TableName.valueOf("auto");
  private static final int REGIONS = 4;
  private static final int ROWS = 1_000;
  private static final int VALUE_BYTES = 1_000;
  private static final String LIMIT = "3m";

  @TempDir static Path directory;

  private static PinnedHBase hbase;
  private static Random random;

  @BeforeAll
  static void start() throws Exception {
    long seed = Long.getLong("seed", 4711);
    System.out.println("seed " + seed);
    random = new Random(seed);
    hbase =
        PinnedHBase.start(
            LocalCluster.builder()
                .directory(directory.resolve("cluster"))
                // It looks whether the coprocessors of a table can be loaded.
                .daemon(
                    Role.MASTER,
                    options -> options.prependToClasspath(PinnedHBase.OURS).conf(balancing())),
            ours(),
            conf -> {});
  }

  private static Map<String, String> ours() {
    return Map.of(
        PinOptions.LIMIT,
        LIMIT,
        PinOptions.INTERVAL,
        "1",
        PinOptions.HALF_LIFE,
        "1",
        PinOptions.COMPACTION_WAIT,
        "300");
  }

  private static Map<String, String> balancing() {
    return Map.of(
        "hbase.master.loadbalancer.class",
        "org.apache.hadoop.hbase.master.balancer.CachedReplicaLoadBalancer",
        "hbase.master.balancer.stochastic.additionalCostFunctions",
        "org.apache.hadoop.hbase.master.balancer.CachedReplicaCostFunction");
  }

  @AfterAll
  static void stop() throws IOException {
    if (hbase != null) {
      hbase.close();
    }
  }

  @Test
  @Order(1)
  void aCompactionLeavesNoMomentWithoutAPinnedFile() throws Exception {
    hbase.admin.createTable(
        TableDescriptorBuilder.newBuilder(ALWAYS)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setValue(PinPolicy.ATTRIBUTE, "ALWAYS")
            .setCoprocessor(CompactionPinObserver.class.getName())
            .build());
    for (int i = 0; i < 3; i++) {
      fill(ALWAYS, 0, 100);
      hbase.admin.flush(ALWAYS);
    }
    Set<String> inputs = hbase.storeFiles(ALWAYS);
    assertThat(inputs).hasSize(3);
    Eventually.holds(() -> assertThat(hbase.cached(ALWAYS)).isEqualTo(inputs));

    CompletableFuture<Void> compaction = CompletableFuture.runAsync(PinLiveTest::compactAndAwait);
    int samples = 0;
    Set<String> seen = new TreeSet<>();
    for (boolean over = false; !over; samples++) {
      over = compaction.isDone();
      Set<String> now = hbase.cached(ALWAYS);
      assertThat(now.containsAll(inputs) || isOutput(now, inputs)).as("%s", now).isTrue();
      seen.addAll(now);
    }
    compaction.get();
    assertThat(samples).isGreaterThan(5);
    Set<String> outputs = hbase.storeFiles(ALWAYS);
    outputs.removeAll(inputs);
    assertThat(outputs).hasSize(1);
    assertThat(seen).containsAll(inputs).containsAll(outputs);
    Eventually.holds(() -> assertThat(hbase.cached(ALWAYS)).isEqualTo(outputs));
    Eventually.holds(() -> assertThat(metric("pinnedOutputCount")).isEqualTo(1));
    assertThat(metric("compactionWaitTimeoutCount")).isZero();
  }

  /** Until no file but the output is pinned: by then the inputs have been dropped. */
  private static void compactAndAwait() {
    try {
      hbase.admin.majorCompact(ALWAYS);
      Eventually.holds(
          () -> {
            assertThat(hbase.admin.getCompactionState(ALWAYS)).isEqualTo(CompactionState.NONE);
            assertThat(hbase.pinned(ALWAYS)).hasSize(1);
          });
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isOutput(Set<String> cached, Set<String> inputs) {
    return cached.stream().anyMatch(path -> !inputs.contains(path));
  }

  @Test
  @Order(2)
  void whatIsPinnedFollowsWhatIsRead() throws Exception {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = key(i, 0);
    }
    hbase.admin.createTable(
        TableDescriptorBuilder.newBuilder(AUTO)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                    .setBlockCacheEnabled(false)
                    .build())
            .build(),
        splits);
    for (int i = 0; i < REGIONS; i++) {
      fill(AUTO, i, ROWS);
    }
    hbase.admin.flush(AUTO);
    Set<String> always = hbase.pinned(ALWAYS).keySet();
    followed(Set.of(0, 1));
    followed(Set.of(2, 3));
    assertThat(hbase.pinned(ALWAYS).keySet()).isEqualTo(always);
    Eventually.holds(
        () -> {
          assertThat(metric("pinnedFileCount")).isEqualTo(hbase.directives.directives().size());
          assertThat(metric("cachedBytes")).isEqualTo(metric("pinnedBytes")).isPositive();
          assertThat(metric("failedRoundCount")).isZero();
          assertThat(metric("refusedPinCount")).isZero();
          assertThat(
                  regionServer().jmx("Hadoop:service=HBase,name=RegionServer,sub=HdfsCacheTables"))
              .contains("\"auto\"", "\"always\"");
        });
  }

  /** Reads some regions, until their files are cached and no others of the table are. */
  private static void followed(Set<Integer> regions) throws Exception {
    Set<String> names = regions.stream().map(i -> regionNames().get(i)).collect(Collectors.toSet());
    Eventually.holds(
        () -> {
          read(regions);
          assertThat(hbase.directives.state().neededBytes()).isLessThanOrEqualTo(3 << 20);
          Set<String> cached = hbase.cached(AUTO);
          assertThat(cached).hasSize(regions.size());
          assertThat(cached).allMatch(path -> names.stream().anyMatch(path::contains));
        });
  }

  private static void read(Set<Integer> regions) throws IOException {
    try (Table table = hbase.connection.getTable(AUTO)) {
      for (int region : regions) {
        List<Get> gets = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          gets.add(new Get(key(region, random.nextInt(ROWS))));
        }
        assertThat(table.get(gets)).noneMatch(result -> result.isEmpty());
      }
    }
  }

  @Test
  @Order(3)
  void aRestartedServerGoesOnWithWhatIsPinned() throws Exception {
    Map<String, List<Long>> always = ids(hbase.pinned(ALWAYS));
    Map<String, List<Long>> auto = ids(hbase.pinned(AUTO));
    assertThat(always).hasSize(1);
    assertThat(auto).hasSize(2);
    regionServer().restart();
    Eventually.holds(
        () -> {
          assertThat(metric("roundCount")).isGreaterThan(2);
          assertThat(metric("pinnedFileCount")).isGreaterThanOrEqualTo(3);
        });
    assertThat(ids(hbase.pinned(ALWAYS))).isEqualTo(always);
    assertThat(ids(hbase.pinned(AUTO))).isEqualTo(auto);
    String page = regionServer().jmx("org.fastpath:type=HdfsCachePins");
    assertThat(always.keySet()).allMatch(path -> page.contains(path + "  "));
    assertThat(page).contains("the table says ALWAYS", "nothing to change");
  }

  @Test
  @Order(4)
  void theBalancerOfTheMasterHasAsked() throws Exception {
    String bean = "Hadoop:service=HBase,name=Master,sub=HdfsCacheBalancer";
    Daemon master = hbase.cluster.daemon(Role.MASTER, 0);
    Eventually.holds(
        () -> {
          assertThat(master.jmxAttribute(bean, "surveyCount"))
              .isPresent()
              .isNotEqualTo(Optional.of("0"));
          assertThat(master.jmxAttribute(bean, "failedSurveyCount")).hasValue("0");
        });
  }

  @Test
  @Order(5)
  void aPoolThatLetsItPinNothingLeavesTheServerToServe() throws Exception {
    hbase.fs.addCachePool(new CachePoolInfo("closed").setLimit(0L));
    regionServer().restart(options -> options.conf(PinOptions.POOL, "closed"));
    Eventually.holds(() -> assertThat(metric("failedRoundCount")).isGreaterThan(2));
    read(Set.of(0, 1));
    assertThat(Files.readAllLines(regionServer().log()))
        .filteredOn(
            line ->
                line.contains(
                    "A round of pinning failed; pins stay, and the next round tries again"))
        .singleElement()
        .asString()
        .endsWith("cache pool closed has limit 0: hdfs cacheadmin -modifyPool closed -limit BYTES");
  }

  private static Map<String, List<Long>> ids(Map<String, Directive> pinned) {
    return pinned.values().stream().collect(Collectors.toMap(Directive::path, Directive::ids));
  }

  private static Daemon regionServer() {
    return hbase.regionServer(0);
  }

  private static long metric(String name) throws Exception {
    return PinnedHBase.metric(regionServer(), name);
  }

  private static void fill(TableName name, int region, int rows) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      puts.add(new Put(key(region, i)).addColumn(FAMILY, FAMILY, value));
    }
    try (Table table = hbase.connection.getTable(name)) {
      table.put(puts);
    }
  }

  private static byte[] key(int region, int row) {
    return Bytes.toBytes(String.format("%d-%05d", region, row));
  }

  private static List<String> regionNames() {
    try {
      return hbase.admin.getRegions(AUTO).stream().map(RegionInfo::getEncodedName).toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
