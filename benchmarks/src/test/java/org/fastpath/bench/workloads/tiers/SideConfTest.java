package org.fastpath.bench.workloads.tiers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SideConfTest {
  @Test
  void aKeyOfOneSideGoesBeforeTheSameKeyOfAll() {
    SideConf conf = new SideConf(Map.of("files", "57", "ours:files", "64", "ours:threads", "6"));

    assertThat(conf.of(TierSide.STOCK_BEST)).isEqualTo(Map.of("files", "57"));
    assertThat(conf.of(TierSide.OURS)).isEqualTo(Map.of("files", "64", "threads", "6"));
    assertThat(conf.of(TierSide.OURS_GUARDED)).isEqualTo(Map.of("files", "57"));
  }

  @Test
  void namesTheSidesIfThereIsNoSuchOne() {
    Map<String, String> values = Map.of("theirs:files", "57");

    assertThatThrownBy(() -> new SideConf(values))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("theirs")
        .hasMessageContaining("stock-best, stock-capacity, rules, ours, ours-guarded");
  }
}
