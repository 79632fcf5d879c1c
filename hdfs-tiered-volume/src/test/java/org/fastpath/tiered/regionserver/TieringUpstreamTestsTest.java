package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.fastpath.cluster.ForkedJvm;
import org.fastpath.cluster.UpstreamTests;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * HBase's own tests pass with rules for all tables, each class in a JVM and a directory of its own.
 * Logs are in {@code target/upstream-runs}. With {@code -Dnightly=true}, as in the profile of that
 * name, all; else those that take seconds. {@code docs/design/hbase-upstream-tests.md} lists the
 * tests and the skipped ones.
 *
 * <p>Classes of which no file is placed are here because they must not notice us: they make stores
 * or their parts by themselves.
 */
@DisabledForJreRange(
    min = JRE.JAVA_24,
    disabledReason = "HBase's tests set a SecurityManager, which JDK 24 and later refuse")
class TieringUpstreamTestsTest {
  private static final boolean NIGHTLY = Boolean.getBoolean("nightly");
  private static final Path JARS = Path.of("target", "upstream-hbase-tests").toAbsolutePath();
  private static final Path SITE = Path.of("src", "test", "upstream").toAbsolutePath();

  /**
   * A class of HBase's.
   *
   * @param tests how many it has at least
   * @param files how many files are placed at least
   */
  private record Upstream(String name, int tests, int files) {
    @Override
    public String toString() {
      return name.substring(name.lastIndexOf('.') + 1);
    }
  }

  private static Upstream of(String name, int tests, int files) {
    return new Upstream(name, tests, files);
  }

  private static Stream<Upstream> quick() {
    return Stream.of(
        of("mob.TestMobStoreCompaction", 8, 52),
        of("regionserver.storefiletracker.TestRegionWithFileBasedStoreFileTracker", 1, 13));
  }

  private static Stream<Upstream> slow() {
    return Stream.of(
        of("regionserver.TestFlushLifeCycleTracker", 2, 2),
        of("backup.TestHFileArchiving", 20, 104),
        of("client.TestCloneSnapshotFromClientCustomSFT", 2, 16),
        of("client.TestRestoreSnapshotFromClientSimple", 4, 32),
        of("client.TestSnapshotFromClient", 18, 2),
        of("master.cleaner.TestSnapshotFromMaster", 8, 5),
        of("mob.TestDefaultMobStoreFlusher", 4, 4),
        of("mob.TestMobCompactionOptMode", 6, 800),
        of("mob.TestMobCompactionWithDefaults", 6, 800),
        of("mob.TestMobCompactionWithException", 1, 144),
        of("mob.TestMobDataBlockEncoding", 1, 6),
        of("mob.TestMobStoreScanner", 6, 18),
        of("regionserver.TestBrokenStoreFileCleaner", 4, 8),
        of("regionserver.TestBulkLoad", 22, 0),
        of("regionserver.TestBulkLoadReplication", 2, 9),
        of("regionserver.TestCleanupCompactedFileOnRegionClose", 1, 4),
        of("regionserver.TestCompaction", 11, 61),
        of("regionserver.TestCompactionAfterBulkLoad", 4, 40),
        of("regionserver.TestCompactionLifeCycleTracker", 2, 4),
        of("regionserver.TestCompactionState", 9, 194),
        of("regionserver.TestCompactionWithCoprocessor", 11, 61),
        of("regionserver.TestDateTieredCompactionPolicyHeterogeneousStorage", 6, 0),
        of("regionserver.TestDefaultCompactSelection", 4, 0),
        of("regionserver.TestDefaultStoreEngine", 1, 0),
        of("regionserver.TestDeleteMobTable", 3, 3),
        of("regionserver.TestHMobStore", 8, 0),
        of("regionserver.TestHRegionServerBulkLoad", 2, 34),
        of("regionserver.TestHStore", 48, 0),
        of("regionserver.TestMajorCompaction", 27, 182),
        of("regionserver.TestMergesSplitsAddToTracker", 4, 6),
        of("regionserver.TestMinorCompaction", 6, 41),
        of("regionserver.TestPerColumnFamilyFlush", 5, 48),
        of("regionserver.TestScannerWithBulkload", 3, 12),
        of("regionserver.TestSecureBulkLoadManager", 2, 2),
        of("regionserver.TestStoreFileInfo", 3, 0),
        of("regionserver.TestStoreFileWriter", 5, 84),
        of("regionserver.TestStripeStoreEngine", 2, 0),
        of("regionserver.TestWalAndCompactingMemStoreFlush", 5, 18),
        of("regionserver.compactions.TestCompactedHFilesDischarger", 4, 11),
        of("regionserver.compactions.TestDateTieredCompactor", 4, 0),
        of("regionserver.compactions.TestStripeCompactor", 6, 0),
        of("regionserver.storefiletracker.TestChangeStoreFileTracker", 11, 1),
        of("regionserver.storefiletracker.TestMigrationStoreFileTracker", 2, 13),
        of("regionserver.storefiletracker.TestStoreFileListFile", 9, 0),
        of("regionserver.storefiletracker.TestStoreFileTrackerFactory", 1, 0),
        of("regionserver.throttle.TestCompactionWithThroughputController", 3, 28),
        of("regionserver.throttle.TestFlushWithThroughputController", 3, 4),
        of("snapshot.TestFlushSnapshotFromClient", 8, 23),
        of("snapshot.TestMobFlushSnapshotFromClient", 8, 46));
  }

  static Stream<Upstream> tests() {
    return NIGHTLY ? Stream.concat(quick(), slow()) : quick();
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @MethodSource("tests")
  void passes(Upstream test) throws Exception {
    ForkedJvm.Result result =
        UpstreamTests.run(
            jvm(),
            "tiered-" + test,
            TieredTests.class,
            "org.apache.hadoop.hbase." + test.name(),
            ".*");
    assertThat(UpstreamTests.passed(result))
        .as("%s", result.end())
        .isGreaterThanOrEqualTo(test.tests());
    assertThat(result.lines(TieredTests.COUNT))
        .singleElement()
        .extracting(line -> Integer.parseInt(line.substring(TieredTests.COUNT.length())))
        .satisfies(files -> assertThat(files).isGreaterThanOrEqualTo(test.files()));
  }

  private static ForkedJvm jvm() throws IOException {
    try (Stream<Path> jars = Files.list(JARS)) {
      List<Path> sorted = jars.sorted().toList();
      return UpstreamTests.jvm().behindOurs(sorted).inFront(SITE).quickStart();
    }
  }
}
