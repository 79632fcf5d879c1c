package org.fastpath.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.fastpath.bench.workload.BlockCacheLiveExperiment.Plan;
import org.junit.jupiter.api.Test;

class BlockCacheLivePlanTest {
  private static Plan plan(int rows, int valueBytes, int scanPercent) {
    return plan(rows, valueBytes, scanPercent, false);
  }

  private static Plan plan(int rows, int valueBytes, int scanPercent, boolean hugePages) {
    return new Plan(
        1,
        5,
        5,
        List.of(5),
        rows,
        valueBytes,
        64,
        512,
        0.99,
        scanPercent,
        50,
        1000,
        List.of(LoadKind.MULTI_GET),
        hugePages);
  }

  @Test
  void aTableIsTwiceTheCache() {
    int rows = DataTable.Shape.ofMegabytes(2 * 512, 1000).rows();

    assertThat((double) rows * (1000 + 33)).isCloseTo(1L << 30, within(1100.0));
  }

  @Test
  void loadsAreFlushedBeforeTheyFillTheHeap() {
    assertThat(plan(1_000_000, 1000, 5).shape().files()).isEqualTo(15);
    assertThat(plan(1000, 100, 5).shape().files()).isEqualTo(1);
  }

  @Test
  void theScanIsItsShareOfLookUps() {
    // A block of 64 KB holds 65,536 / 1,033 rows; one look-up for each row got, and one for each of
    // these blocks.
    double scanned = plan(1_000_000, 1000, 20).scannedPerRow();

    assertThat(scanned / (65_536 / 1033.0)).isCloseTo(20 / 80.0, within(1e-9));
    assertThat(plan(1_000_000, 100_000, 50).scannedPerRow()).isEqualTo(1);
  }

  @Test
  void hugePagesAreAnotherServer() {
    List<Side> sides = plan(1, 1, 1, true).sides();

    assertThat(sides)
        .extracting(Side::id)
        .containsExactly("bucket-cache", "ours", "bucket-cache-huge", "ours-huge");
    assertThat(sides).extracting(Side::hugePages).containsExactly(false, false, true, true);
    assertThat(sides.get(1).sameServers(sides.get(3))).isFalse();
    assertThat(plan(1, 1, 1).sides()).hasSize(2);
  }

  @Test
  void sidesDifferInNothingButTheCache() {
    Side stock = Side.bucketCache(64);
    Side ours = Side.offHeapCache(64);

    assertThat(stock.regionServerConf()).containsEntry("hbase.bucketcache.size", "64");
    assertThat(ours.regionServerConf())
        .containsEntry("hbase.fastpath.offheap-cache.size", "64m")
        .doesNotContainKey("hbase.bucketcache.ioengine");
    assertThat(stock.cachesBlocks()).isFalse();
    assertThat(ours.cachesBlocks()).isTrue();
    assertThat(stock.jars()).isEmpty();
    assertThat(ours.computesChecksums()).isFalse();
    assertThat(ours.observesRegions()).isFalse();
    assertThat(Side.OURS.withOffHeapCache(64).observesRegions()).isTrue();
    assertThat(plan(1, 1, 1).serverFlags()).contains("-Xmx512m", "-XX:MaxDirectMemorySize=576m");
  }
}
