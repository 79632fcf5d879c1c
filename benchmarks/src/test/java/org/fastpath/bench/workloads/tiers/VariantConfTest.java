package org.fastpath.bench.workloads.tiers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class VariantConfTest {
  @Test
  void aKeyOfOneVariantGoesBeforeTheSameKeyOfAll() {
    VariantConf conf =
        new VariantConf(Map.of("files", "57", "ours:files", "64", "ours:threads", "6"));

    assertThat(conf.of(TierVariant.STOCK_BEST)).isEqualTo(Map.of("files", "57"));
    assertThat(conf.of(TierVariant.OURS)).isEqualTo(Map.of("files", "64", "threads", "6"));
    assertThat(conf.of(TierVariant.OURS_GUARDED)).isEqualTo(Map.of("files", "57"));
  }

  @Test
  void namesTheVariantsIfThereIsNoSuchOne() {
    Map<String, String> values = Map.of("theirs:files", "57");

    assertThatThrownBy(() -> new VariantConf(values))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("theirs")
        .hasMessageContaining("stock-best, stock-capacity, rules, ours, ours-guarded");
  }
}
