package org.fastpath.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.fastpath.bench.results.Measurement;
import org.fastpath.bench.results.Results;
import org.junit.jupiter.api.Test;

class SideBySideTest {
  private final Results.Builder results = Results.builder("demo", null).candidate("ours");

  private void round(String name, String unit, double stock, double ours) {
    results.round(name, Map.of(), "stock", unit, stock);
    results.round(name, Map.of(), "ours", unit, ours);
  }

  private String table() {
    return new SideBySide(results.build(), "stock", "ours").render();
  }

  @Test
  void aRatioAboveOneIsBetterForRatesAndForCosts() {
    round("scan: rate", "rows/s", 1000, 1500);
    round("compaction: CPU", "s", 12, 10);

    assertThat(table())
        .isEqualTo(
            """
                             stock   ours          ratio  spread
            scan: rate       1,000  1,500  rows/s  1.50×
            compaction: CPU   12.0   10.0  s       1.20×

            """);
  }

  @Test
  void severalRoundsGiveTheMedianAndTheSpread() {
    round("scan: rate", "rows/s", 1000, 1100);
    round("scan: rate", "rows/s", 1000, 1300);
    round("scan: rate", "rows/s", 1000, 1200);

    assertThat(table()).contains("1,200  rows/s  1.20×  1.10–1.30\n");
  }

  @Test
  void whatStockLacksIsInfinitelyBetter() {
    round("quantiles", "of 7", 0, 7);
    round("quantiles", "of 7", 0, 7);
    results.better("quantiles", Measurement.Better.HIGHER);

    assertThat(table()).contains("0  7.00  of 7      ∞     ∞–∞\n");
  }

  @Test
  void saysWhatTheSidesAre() {
    round("scan: rate", "rows/s", 1, 1);
    results.describe("stock", "as published").describe("ours", "provider jdk");

    assertThat(table()).endsWith("\nstock: as published\nours: provider jdk\n");
  }

  @Test
  void aRowThatOneSideLacksIsLeftOut() {
    round("scan: rate", "rows/s", 1, 1);
    results.round("only stock", Map.of(), "stock", "s", 1);

    assertThat(table()).doesNotContain("only stock");
  }
}
