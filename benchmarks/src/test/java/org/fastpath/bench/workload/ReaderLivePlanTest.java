package org.fastpath.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.fastpath.bench.workload.ReaderLiveExperiment.Plan;
import org.junit.jupiter.api.Test;

class ReaderLivePlanTest {
  private static Plan plan(int tableMegabytes, int sliceMillis) {
    return new Plan(
        1,
        6,
        10,
        sliceMillis,
        List.of(5, 25, 10),
        List.of(100, 1000),
        tableMegabytes,
        512,
        100,
        1000,
        Arrays.asList(ReaderLoad.values()),
        false);
  }

  @Test
  void allTablesFitIntoTheCache() {
    Plan plan = plan(128, 1000);
    long bytes = 0;
    for (int size : plan.valueBytes()) {
      bytes += 2L * plan.shape(size).rows() * plan.shape(size).rowBytes();
    }

    assertThat(bytes).isBetween(500L << 20, 512L << 20);
    assertThat((long) plan.cacheMegabytes() << 20).isGreaterThan(bytes * 5 / 4);
    assertThat(plan.serverFlags())
        .contains("-XX:MaxDirectMemorySize=" + (plan.cacheMegabytes() + 512) + "m");
  }

  @Test
  void slicesMakeTheTimeThatIsAskedForAndAreNeverNone() {
    assertThat(plan(1, 1000).slices(6)).isEqualTo(6);
    assertThat(plan(1, 250).slices(6)).isEqualTo(24);
    assertThat(plan(1, 10_000).slices(6)).isEqualTo(1);
    assertThat(plan(1, 1000).mostThreads()).isEqualTo(25);
  }

  @Test
  void onlyWhatMattersForAKindOfReadsIsAmongItsParameters() {
    Plan plan = plan(1, 1000);

    assertThat(plan.params(ReaderLoad.GET, 100, 5))
        .containsOnlyKeys("value bytes", "rows", "threads");
    assertThat(plan.params(ReaderLoad.MULTI_GET, 100, 5)).containsEntry("batch", "100");
    assertThat(plan.params(ReaderLoad.FILTER_ALL, 100, 5)).containsEntry("rows per scan", "1000");
  }

  @Test
  void theServerHasTheReaderAndTablesChoose() {
    Side side = Side.offHeapReader(256);

    assertThat(side.regionServerConf())
        .containsEntry("hbase.fastpath.offheap-reader.enabled", "true")
        .containsEntry("hbase.fastpath.offheap-cache.size", "256m");
    assertThat(side.cachesBlocks()).isTrue();
    assertThat(side.computesChecksums()).isFalse();
  }

  @Test
  void readsAreKnownByTheirLabels() {
    for (ReaderLoad load : ReaderLoad.values()) {
      assertThat(ReaderLoad.of(load.label())).isSameAs(load);
    }
    assertThatThrownBy(() -> ReaderLoad.of("write"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("get, multi-get, scan, scan-filter-90, scan-filter-all");
  }
}
