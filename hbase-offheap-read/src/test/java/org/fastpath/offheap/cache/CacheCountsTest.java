package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.junit.jupiter.api.Test;

/** Every count is what HBase's own class counts. */
class CacheCountsTest {
  private static final List<ToLongFunction<CacheStats>> COUNTS =
      List.of(
          CacheStats::getHitCount,
          CacheStats::getPrimaryHitCount,
          CacheStats::getHitCachingCount,
          CacheStats::getDataHitCount,
          CacheStats::getLeafIndexHitCount,
          CacheStats::getMissCount,
          CacheStats::getDataMissCount,
          CacheStats::getRequestCount,
          CacheStats::getRequestCachingCount,
          CacheStats::getSumHitCountsPastNPeriods,
          CacheStats::getSumHitCachingCountsPastNPeriods,
          CacheStats::getSumRequestCountsPastNPeriods);

  @Test
  void countsWhatHBaseCounts() {
    CacheStats stock = new CacheStats("stock");
    CacheStats ours = new CacheCounts("ours");
    BlockType[] types = BlockType.values();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      boolean caching = random.nextInt(4) > 0;
      boolean primary = random.nextInt(4) > 0;
      int type = random.nextInt(types.length + 1);
      for (CacheStats stats : List.of(stock, ours)) {
        count(stats, i % 3 > 0, caching, primary, type < types.length ? types[type] : null);
        if (i % 1000 == 0) {
          stats.rollMetricsPeriod();
        }
      }
    }
    for (ToLongFunction<CacheStats> count : COUNTS) {
      assertThat(count.applyAsLong(ours)).isPositive().isEqualTo(count.applyAsLong(stock));
    }
    assertThat(ours.getHitRatio()).isEqualTo(stock.getHitRatio());
    assertThat(ours.getHitRatioPastNPeriods()).isEqualTo(stock.getHitRatioPastNPeriods());
  }

  private static void count(
      CacheStats stats, boolean hit, boolean caching, boolean primary, BlockType type) {
    if (hit) {
      stats.hit(caching, primary, type);
    } else {
      stats.miss(caching, primary, type);
    }
  }
}
