package org.fastpath.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.fastpath.bench.workload.HdfsCacheLiveExperiment.Plan;
import org.junit.jupiter.api.Test;

class HdfsCacheLivePlanTest {
  private static final Plan PLAN = atRate(0);

  private static Plan atRate(int rowsPerSecond) {
    return new Plan(
        1, 60, 30, 20, 5, 1000, 128, 512, 50, 1000, rowsPerSecond, List.of(ReaderLoad.GET));
  }

  @Test
  void theTableFitsIntoTheCacheAndIntoLockedMemory() {
    long bytes = (long) PLAN.shape().rows() * PLAN.shape().rowBytes();

    assertThat(bytes).isBetween(127L << 20, 128L << 20);
    assertThat((long) PLAN.cacheMegabytes() << 20).isGreaterThan(bytes * 5 / 4);
    assertThat(PLAN.lockedBytes()).isGreaterThan(bytes * 5 / 4);
  }

  @Test
  void oneSideHasASecondLevelCacheAndTheOthersHaveNone() {
    assertThat(PLAN.sides())
        .extracting(side -> side.regionServerConf().containsKey("hbase.bucketcache.size"))
        .containsExactly(true, false, false);
    assertThat(PLAN.sides()).extracting(Side::id).contains(HdfsCacheLiveExperiment.CANDIDATE);
  }

  @Test
  void oneSideIsWarmedUp() {
    assertThat(PLAN.sides())
        .extracting(side -> side.regionServerConf().get("hbase.coprocessor.regionserver.classes"))
        .containsExactly(null, null, "org.fastpath.zcr.warmup.ReadWarmUp");
    assertThat(PLAN.sides())
        .extracting(Side::id)
        .containsExactly("bucket-cache", "ours", "ours-warmed");
  }

  @Test
  void onlyWhatMattersForAKindOfReadsIsAmongItsParameters() {
    assertThat(PLAN.params(ReaderLoad.GET))
        .containsOnlyKeys("value bytes", "rows", "cache MB", "threads");
    assertThat(PLAN.params(ReaderLoad.MULTI_GET)).containsEntry("batch", "50");
    assertThat(PLAN.params(ReaderLoad.FILTER_ALL)).containsEntry("rows per scan", "1000");
  }

  @Test
  void aRateIsOfRowsWhateverARequestAsksFor() {
    Plan paced = atRate(5000);

    assertThat(paced.requestsPerSecond(ReaderLoad.GET)).isEqualTo(5000);
    assertThat(paced.requestsPerSecond(ReaderLoad.MULTI_GET)).isEqualTo(100);
    assertThat(paced.requestsPerSecond(ReaderLoad.FILTER_MOST)).isEqualTo(5);
    assertThat(paced.params(ReaderLoad.GET)).containsEntry("rows/s", "5000");
    assertThat(PLAN.requestsPerSecond(ReaderLoad.GET)).isInfinite();
    assertThat(PLAN.params(ReaderLoad.GET)).doesNotContainKey("rows/s");
  }
}
