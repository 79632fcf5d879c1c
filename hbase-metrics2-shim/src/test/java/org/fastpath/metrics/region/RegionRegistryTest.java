package org.fastpath.metrics.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.fastpath.metrics.region.LocalRegions.put;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;
import org.fastpath.metrics.AggregateSource;
import org.fastpath.metrics.Metrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests which regions have latencies and which counts a table keeps, on real regions and a clock
 * that the tests move.
 */
class RegionRegistryTest {
  private static final int LIMIT = 2;

  @TempDir Path directory;

  private final AggregateSource regionSource =
      Metrics.aggregate("RegistryTestRegions", "Regions", "namespace", "table", "region");
  private final AggregateSource tableSource =
      Metrics.aggregate("RegistryTestTables", "Tables", "namespace", "table");
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 10);
  private final RegionRegistry registry =
      new RegionRegistry(regionSource, tableSource, LIMIT, clock::get);
  private LocalRegions regions;

  @BeforeEach
  void begin() throws IOException {
    regions = new LocalRegions(directory);
  }

  @AfterEach
  void close() throws IOException {
    registry.close();
    regions.close();
  }

  @Test
  void upToTheLimitRegionsHaveLatenciesAndAllHaveCounts() throws IOException {
    OpenRegion first = open("t", "a");
    OpenRegion second = open("t", "b");
    OpenRegion third = open("t", "c");
    assertThat(first.histograms()).isNotNull();
    assertThat(second.histograms()).isNotNull();
    assertThat(third.histograms()).isNull();
    work(third, 5);
    assertThat(shown(third)).containsEntry("writeRequestCount", 5L).doesNotContainKey("putCount");
    assertThat(shown(first)).containsEntry("putCount", 0L);
  }

  @Test
  void beyondItTheMostActiveHaveThem() throws IOException {
    OpenRegion idle = open("t", "a");
    OpenRegion busy = open("t", "b");
    OpenRegion busier = open("t", "c");
    work(idle, 1);
    work(busy, 10);
    work(busier, 11);
    pass(59);
    assertThat(busier.histograms()).isNull();
    pass(1);
    assertThat(idle.histograms()).isNull();
    assertThat(busy.histograms()).isNotNull();
    assertThat(busier.histograms()).isNotNull();
    assertThat(shown(busier)).containsEntry("putCount", 0L).containsEntry("writeRequestCount", 11L);
    assertThat(shown(idle)).doesNotContainKey("putCount").containsEntry("writeRequestCount", 1L);
  }

  @Test
  void onlyWhatWasDoneSinceTheLastRankingMatters() throws IOException {
    OpenRegion once = open("t", "a");
    work(once, 100);
    OpenRegion steady = open("t", "b");
    OpenRegion fresh = open("t", "c");
    work(steady, 2);
    pass(60);
    work(steady, 2);
    work(fresh, 2);
    pass(60);
    assertThat(once.histograms()).isNull();
    assertThat(fresh.histograms()).isNotNull();
  }

  @Test
  void aRegionOfAboutTheSameActivityDoesNotTakeTheirPlace() throws IOException {
    OpenRegion first = open("t", "a");
    RegionHistograms histograms = first.histograms();
    OpenRegion second = open("t", "b");
    OpenRegion third = open("t", "c");
    work(first, 10);
    work(second, 20);
    work(third, 19);
    pass(60);
    assertThat(first.histograms()).isSameAs(histograms);
    pass(60);
    assertThat(first.histograms()).as("all idle").isSameAs(histograms);
  }

  @Test
  void aPlaceThatIsFreeIsTaken() throws IOException {
    OpenRegion first = open("t", "a");
    open("t", "b");
    OpenRegion third = open("t", "c");
    registry.close(first);
    OpenRegion fourth = open("t", "d");
    assertThat(fourth.histograms()).isNotNull();
    registry.close(fourth);
    pass(60);
    assertThat(third.histograms()).isNotNull();
  }

  @Test
  void aTableIsTheSumOfItsRegionsAndOfThoseThatLeft() throws IOException {
    OpenRegion first = open("t", "a");
    OpenRegion second = open("t", "b");
    work(first, 3);
    work(second, 4);
    record(first, 30);
    record(second, 50);
    open("other", "a");
    registry.close(first);
    Map<String, Long> table = Records.of(tableSource).get("t");
    assertThat(table)
        .containsEntry("regionCount", 1L)
        .containsEntry("writeRequestCount", 7L)
        .containsEntry("getCount", 2L)
        .containsEntry("getTotalNanos", TimeUnit.MICROSECONDS.toNanos(80))
        .containsEntry("getMaxNanos", TimeUnit.MICROSECONDS.toNanos(50));
    pass(60);
    open("t", "c");
    pass(60);
    assertThat(Records.of(tableSource).get("t"))
        .containsEntry("writeRequestCount", 7L)
        .containsEntry("getCount", 2L)
        .containsEntry("getTotalNanos", TimeUnit.MICROSECONDS.toNanos(80));
  }

  @Test
  void whatEndsWhenTheRegionHasLeftIsCounted() throws IOException {
    OpenRegion first = open("t", "a");
    open("t", "b");
    RegionHistograms histograms = first.histograms();
    registry.close(first);
    histograms.of(TimedOperation.GET).record(TimeUnit.MICROSECONDS.toNanos(30));
    pass(60);
    assertThat(Records.of(tableSource).get("t")).containsEntry("getCount", 1L);
  }

  @Test
  void losingTheLatenciesLosesNothingOfTheTable() throws IOException {
    OpenRegion first = open("t", "a");
    open("t", "b");
    OpenRegion third = open("t", "c");
    record(first, 30);
    OpenRegion fourth = open("t", "d");
    work(third, 10);
    work(fourth, 10);
    pass(60);
    assertThat(first.histograms()).isNull();
    record(third, 40);
    pass(60);
    pass(60);
    assertThat(Records.of(tableSource).get("t")).containsEntry("getCount", 2L);
  }

  @Test
  void aTableLeavesWithItsLastRegionAndIsRememberedForTenMinutes() throws IOException {
    OpenRegion only = open("t", "a");
    work(only, 3);
    record(only, 30);
    registry.close(only);
    assertThat(tableSource.size()).isZero();
    assertThat(regionSource.size()).isZero();
    pass(599);
    registry.close(open("t", "b"));
    pass(599);
    OpenRegion later = open("t", "c");
    assertThat(Records.of(tableSource).get("t"))
        .containsEntry("writeRequestCount", 3L)
        .containsEntry("getCount", 1L);
    registry.close(later);
    pass(600);
    open("t", "d");
    assertThat(Records.of(tableSource).get("t"))
        .containsEntry("writeRequestCount", 0L)
        .containsEntry("getCount", 0L);
  }

  @Test
  void requestsThatHBaseKeepsOverAReopeningAreNotAddedTwice() throws IOException {
    OpenRegion before = open("t", "a");
    work(before, 5);
    registry.close(before);
    HRegion again = regions.open("t", "a-again");
    again.addWriteRequestsCount(5);
    OpenRegion after = registry.of(again);
    registry.open(after);
    work(after, 1);
    assertThat(shown(after)).containsEntry("writeRequestCount", 6L);
    assertThat(Records.of(tableSource).get("t")).containsEntry("writeRequestCount", 6L);
  }

  @Test
  void aRegionThatWasOpenedElsewhereInTheJvmReplacesTheOldOne() throws IOException {
    OpenRegion old = open("t", "a");
    work(old, 2);
    OpenRegion fresh = new OpenRegion(old.region());
    registry.open(fresh);
    registry.open(fresh);
    assertThat(regionSource.size()).isEqualTo(1);
    registry.close(old);
    assertThat(regionSource.size()).isEqualTo(1);
    assertThat(Records.of(tableSource).get("t"))
        .containsEntry("regionCount", 1L)
        .containsEntry("writeRequestCount", 2L);
    assertThat(Metrics.errors()).noneMatch(error -> error.contains("RegistryTest"));
  }

  @Test
  void aRegionThatNobodyReportedClosedIsNotInTheNextSnapshot() throws IOException {
    OpenRegion region = open("t", "a");
    ((HRegion) region.region()).close();
    assertThat(Records.of(tableSource)).isEmpty();
    assertThat(Records.of(regionSource)).isEmpty();
  }

  @Test
  void aRegionThatNobodyReportedClosedGoesWhenAnotherOpens() throws IOException {
    OpenRegion region = open("t", "a");
    ((HRegion) region.region()).close();
    open("t", "b");
    assertThat(regionSource.size()).isOne();
  }

  @Test
  void aSnapshotWaitsForNobodyWhoOpensARegion() throws Exception {
    open("t", "a");
    AtomicLong seen = new AtomicLong();
    Thread snapshot = new Thread(() -> seen.set(Records.of(regionSource).size()));
    registry.locked(
        () -> {
          clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
          snapshot.start();
          join(snapshot);
        });
    assertThat(seen).hasValue(1);
  }

  /** Without it, the ranking would fail on this region each minute. */
  @Test
  void aRegionThatCannotBeShownIsAsOneThatWasNotOpened() throws IOException {
    OpenRegion broken = registry.of(brokenInShow(regions.open("t", "a")));
    assertThatThrownBy(() -> registry.open(broken)).isInstanceOf(StackOverflowError.class);
    assertThat(regionSource.size()).isZero();
    assertThat(tableSource.size()).isZero();
    long failures = FailedHooks.count();
    OpenRegion busy = open("t", "b");
    open("t", "c");
    OpenRegion busier = open("t", "d");
    work(busy, 1);
    work(busier, 10);
    pass(60);
    assertThat(FailedHooks.count()).isEqualTo(failures);
    assertThat(busier.histograms()).isNotNull();
    registry.close(broken);
    registry.open(broken);
    assertThat(shown(broken)).isNotNull();
  }

  /** A region that fails once, when it is shown. */
  private static Region brokenInShow(HRegion region) {
    AtomicBoolean failed = new AtomicBoolean();
    return (Region)
        Proxy.newProxyInstance(
            RegionRegistryTest.class.getClassLoader(),
            new Class<?>[] {Region.class},
            (proxy, method, arguments) -> {
              if (isInShow() && failed.compareAndSet(false, true)) {
                throw new StackOverflowError("thrown by the test");
              }
              return method.invoke(region, arguments);
            });
  }

  private static boolean isInShow() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        frame.getClassName().equals(OpenRegion.class.getName())
                            && frame.getMethodName().equals("show")));
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private OpenRegion open(String table, String startRow) throws IOException {
    OpenRegion region = registry.of(regions.open(table, startRow));
    registry.open(region);
    return region;
  }

  private static void work(OpenRegion region, int requests) throws IOException {
    for (int i = 0; i < requests; i++) {
      region.region().put(put("z"));
    }
  }

  private static void record(OpenRegion region, long micros) {
    region.histograms().of(TimedOperation.GET).record(TimeUnit.MICROSECONDS.toNanos(micros));
  }

  private void pass(int seconds) {
    clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    Records.of(regionSource);
  }

  private Map<String, Long> shown(OpenRegion region) {
    return Records.of(regionSource).get(region.name());
  }
}
