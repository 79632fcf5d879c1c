package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the calls of the keeper of tiers to the NameNode of a large cluster, and that every file
 * gets its turn.
 */
class KeeperSimulationTest {
  private static final int TABLES = 100;
  private static final int REGIONS = 100;
  private static final int FAMILIES = 3;
  private static final String[] RULES = {TierRules.FLUSH, "ALL_SSD", TierRules.COMPACTION, "HOT"};

  /** Rounds, one a minute: a day by night. */
  private static final int ROUNDS = Boolean.getBoolean("nightly") ? 1_440 : 15;

  /** No directory is listed before that which seems to be the same. */
  private static final int ROUNDS_UNTIL_REFRESH = 300;

  /** Files of a store: a million in all by night. */
  private static final int FILES = Boolean.getBoolean("nightly") ? 34 : 1;

  private static Configuration keys(String... keysAndValues) {
    Configuration keys = new Configuration(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      keys.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return keys;
  }

  /** One region in thirty is flushed each minute: every region twice an hour. */
  @Test
  void callsOfALargeClusterAreBounded() throws Exception {
    try (KeeperSimulation cluster = new KeeperSimulation("large", keys())) {
      List<KeeperSimulation.Region> regions = new ArrayList<>();
      for (int table = 0; table < TABLES; table++) {
        regions.addAll(cluster.addTable("table" + table, REGIONS, FAMILIES, FILES, RULES));
      }
      long begin = cluster.nowMillis();
      int rounds = 0;
      long before;
      do {
        before = cluster.nameNode().callsByName().getOrDefault("open", 0L);
        cluster.rounds(1);
        rounds++;
        assertThat(rounds).isLessThan(1_000);
      } while (cluster.nameNode().callsByName().getOrDefault("open", 0L) > before);
      double first = perSecond(cluster, 0, begin);
      System.out.printf(
          "the first survey: %d rounds, %.1f calls/s %s%n",
          rounds, first, cluster.nameNode().callsByName());
      assertThat(first).isLessThanOrEqualTo(105);

      long calls = cluster.nameNode().calls();
      begin = cluster.nowMillis();
      Random random = new Random(42);
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < regions.size() / 30; i++) {
          KeeperSimulation.Region region = regions.get(random.nextInt(regions.size()));
          cluster.addFile(region, random.nextInt(FAMILIES), true, StorageType.SSD);
        }
        cluster.rounds(1);
      }
      double steady = perSecond(cluster, calls, begin);
      System.out.printf(
          "%d rounds: %.1f calls/s, %s%n", ROUNDS, steady, cluster.nameNode().callsByName());
      // A listing of each table and of each store of a changed region, and each new file's tail.
      assertThat(steady).isLessThan(40);
      assertThat(cluster.longestRoundMillis()).isLessThan(2 * KeeperSimulation.PERIOD_MILLIS);

      if (ROUNDS < ROUNDS_UNTIL_REFRESH) {
        calls = cluster.nameNode().calls();
        cluster.rounds(1);
        // A listing of each table, and the policies.
        assertThat(cluster.nameNode().calls() - calls)
            .as("calls of a minute in which nothing changes")
            .isLessThanOrEqualTo(TABLES + 10);
      }
    }
  }

  private static double perSecond(KeeperSimulation cluster, long callsBefore, long beginMillis) {
    return 1000.0
        * (cluster.nameNode().calls() - callsBefore)
        / (cluster.nowMillis() - beginMillis);
  }

  /** The first table's files want a tier that is full. */
  @Test
  void aFullTierDoesNotKeepLaterTablesWaiting() throws Exception {
    try (KeeperSimulation cluster =
        new KeeperSimulation("full", keys(KeeperOptions.CALLS_PER_SECOND, "1000"))) {
      cluster.addTable("a", 100, 1, 100, TierRules.MAJOR, "ALL_NVDIMM");
      cluster.addTable("b", 100, 1, 20, TierRules.MAJOR, "ALL_SSD");
      cluster.addTable("c", 100, 1, 20, TierRules.MAJOR, "COLD");
      cluster.nameNode().room(StorageType.NVDIMM, 0);
      cluster.rounds(30);
      assertThat(cluster.requestedTables()).containsExactlyInAnyOrder("a", "b", "c");
      assertThat(cluster.misplaced("b")).isZero();
      assertThat(cluster.misplaced("c")).isZero();
      assertThat(cluster.openRequests()).as("requests for the full tier").isLessThanOrEqualTo(8);

      long calls = cluster.nameNode().calls();
      long begin = cluster.nowMillis();
      cluster.rounds(60);
      assertThat(perSecond(cluster, calls, begin)).as("calls of an hour").isLessThan(2);

      cluster.nameNode().room(StorageType.NVDIMM, 1L << 40);
      cluster.rounds(60);
      assertThat(cluster.misplaced("a")).as("there is room again").isZero();
    }
  }

  /** HDFS has a few policies for such files only. */
  @Test
  void erasureCodedFilesAreLeftAloneWhereHdfsIgnoresTheirPolicy() throws Exception {
    try (KeeperSimulation cluster = new KeeperSimulation("coded", keys())) {
      for (String policy : List.of("ONE_SSD", "ALL_SSD")) {
        String table = policy.toLowerCase(Locale.ROOT);
        cluster.code(cluster.addTable(table, 1, 1, 10, TierRules.MAJOR, policy).get(0), 0);
      }
      cluster.rounds(5);
      assertThat(cluster.requestedTables()).containsExactly("all_ssd");
      assertThat(cluster.nameNode().callsByName()).containsEntry("setStoragePolicy", 10L);
    }
  }

  /** With a budget that is too small for one table. */
  @Test
  void everyTableHasItsTurn() throws Exception {
    try (KeeperSimulation cluster =
        new KeeperSimulation("turns", keys(KeeperOptions.CALLS_PER_SECOND, "5"))) {
      for (int table = 0; table < 10; table++) {
        cluster.addTable("t" + table, 20, 1, 10, TierRules.MAJOR, "ALL_SSD");
      }
      cluster.rounds(80);
      assertThat(cluster.requestedTables()).hasSize(10);
    }
  }

  /** The busy table alone uses up the budget of each round. */
  @Test
  void everyDirectoryHasItsTurnBesidesABusyTable() throws Exception {
    try (KeeperSimulation cluster =
        new KeeperSimulation(
            "busy", keys(KeeperOptions.CALLS_PER_SECOND, "5", AtRestRules.ARCHIVE, "COLD"))) {
      List<KeeperSimulation.Region> busy =
          cluster.addTable("b", 500, 1, 1, TierRules.FLUSH, "ALL_SSD");
      List<String> directories = new ArrayList<>(cluster.addArchived("gone", 3));
      Stream.of(
              busy,
              cluster.addTable("a", 3, 1, 1, TierRules.FLUSH, "ALL_SSD"),
              cluster.addTable("c", 3, 1, 1, TierRules.FLUSH, "ALL_SSD"))
          .flatMap(List::stream)
          .forEach(region -> directories.add(region.directory() + "/f0"));
      for (int round = 0; round < 30; round++) {
        busy.forEach(cluster::change);
        cluster.rounds(1);
      }
      assertThat(directories).allMatch(cluster.nameNode()::wasListed);
    }
  }

  /** The rules of a table that is gone are asked for once, and then nothing is listed for it. */
  @Test
  void filesOfDeletedTablesWithoutARuleCostNothing() throws Exception {
    try (KeeperSimulation cluster = new KeeperSimulation("gone", keys())) {
      cluster.addArchived("many", 1_000);
      cluster.addArchived("few", 1);
      cluster.rounds(1);
      long calls = cluster.nameNode().calls();
      cluster.rounds(20);
      // A listing of the archive and one of its namespace; the policies.
      assertThat(cluster.nameNode().calls() - calls).isEqualTo(20 * 3);
      assertThat(cluster.nameNode().callsByName()).containsEntry("getXAttrs", 2L);
    }
  }

  /** Of an HMaster that starts with the wrong time or gets it while it runs. */
  @ParameterizedTest
  @CsvSource({"1, 0", "0, -1"})
  void aClockThatStepsBackDelaysNothing(int daysBefore, int daysAfter) throws Exception {
    try (KeeperSimulation cluster =
        new KeeperSimulation("clock" + daysBefore, keys(KeeperOptions.REFRESH, "600000"))) {
      List<KeeperSimulation.Region> regions =
          cluster.addTable("t", 1, 1, 0, TierRules.FLUSH, "ALL_SSD");
      cluster.addFile(regions.get(0), 0, true, StorageType.SSD);
      cluster.addTable("full", 1, 1, 10, TierRules.MAJOR, "ALL_NVDIMM");
      cluster.nameNode().room(StorageType.NVDIMM, 0);
      cluster.setClockWrongBy(TimeUnit.DAYS.toMillis(daysBefore));
      cluster.rounds(8);
      assertThat(cluster.requestedTables()).containsExactly("full");
      assertThat(cluster.openRequests()).as("all have failed").isZero();

      cluster.setClockWrongBy(TimeUnit.DAYS.toMillis(daysAfter));
      cluster.rounds(1);
      cluster
          .nameNode()
          .addFile(regions.get(0).directory() + "/f0/" + "f".repeat(32), StorageType.DISK);
      cluster.nameNode().room(StorageType.NVDIMM, 1L << 40);
      cluster.rounds(30);
      assertThat(cluster.requestedTables()).containsExactlyInAnyOrder("full", "t");
      assertThat(cluster.misplaced("full")).isZero();
    }
  }

  @Test
  void aChangeByHandIsFoundByTheRefresh() throws Exception {
    try (KeeperSimulation cluster =
        new KeeperSimulation("hand", keys(KeeperOptions.REFRESH, "600000"))) {
      List<KeeperSimulation.Region> regions =
          cluster.addTable("t", 1, 1, 0, TierRules.FLUSH, "ALL_SSD");
      cluster.addFile(regions.get(0), 0, true, StorageType.SSD);
      cluster.rounds(2);
      cluster
          .nameNode()
          .addFile(regions.get(0).directory() + "/f0/" + "f".repeat(32), StorageType.DISK);
      cluster.rounds(1);
      assertThat(cluster.requestedTables()).as("it was not listed").isEmpty();
      cluster.rounds(12);
      assertThat(cluster.requestedTables()).containsExactly("t");
    }
  }
}
