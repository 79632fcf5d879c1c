package org.fastpath.bench.workloads.tiers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.fastpath.bench.engine.Experiment;
import org.junit.jupiter.api.Test;

/** Tests the eleven cases and their configuration on each variant. */
class TierCaseTest {
  private final TierScale scale = new TierScale(64, 60, false);

  private static Map<Tier, Long> counts(TierCase one) {
    return one.volumes().stream()
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  @Test
  void thereAreElevenWithTheStorysNames() {
    assertThat(Arrays.stream(TierCase.values()).map(TierCase::label))
        .containsExactly(
            "50G_RAM",
            "50G_SSD",
            "50G_HDD",
            "1T_SSD",
            "1T_HDD",
            "1T_RAM_SSD",
            "1T_RAM_HDD",
            "1T_SSD_HDD",
            "1T_SSD_All_HDD",
            "1T_RAM_SSD_HDD",
            "1T_RAM_SSD_All_HDD");
    for (TierCase one : TierCase.values()) {
      assertThat(Experiment.named("case", one.label(), List.of(TierCase.values()), TierCase::label))
          .isSameAs(one);
      assertThat(one.dataset() == TierDataset.GB_50).isEqualTo(one.label().startsWith("50G"));
    }
    assertThatThrownBy(
            () -> Experiment.named("case", "2T_SSD", List.of(TierCase.values()), TierCase::label))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is no case 2T_SSD")
        .hasMessageContaining("1T_RAM_SSD_HDD");
  }

  @Test
  void volumesAreThoseOfTable1() {
    assertThat(counts(TierCase.G50_RAM)).isEqualTo(Map.of(Tier.RAM, 1L));
    assertThat(counts(TierCase.T1_SSD)).isEqualTo(Map.of(Tier.SSD, 8L));
    assertThat(counts(TierCase.T1_RAM_HDD)).isEqualTo(Map.of(Tier.RAM, 1L, Tier.HDD, 8L));
    assertThat(counts(TierCase.T1_SSD_HDD)).isEqualTo(Map.of(Tier.SSD, 4L, Tier.HDD, 4L));
    assertThat(counts(TierCase.T1_RAM_SSD_ALL_HDD))
        .isEqualTo(Map.of(Tier.RAM, 1L, Tier.SSD, 4L, Tier.HDD, 4L));
  }

  @Test
  void whatLiesWhereIsThatOfTable1() {
    TierCase mixed = TierCase.T1_RAM_SSD_HDD;
    assertThat(mixed.wal()).isEqualTo(Tier.RAM);
    assertThat(mixed.flushed()).isEqualTo(Tier.SSD);
    assertThat(mixed.compacted()).isEqualTo(Tier.SSD);
    assertThat(mixed.large()).isEqualTo(Tier.HDD);
    assertThat(mixed.bottom()).isEqualTo(Tier.HDD);
    assertThat(TierCase.T1_SSD_ALL_HDD.compacted()).isEqualTo(Tier.HDD);
    assertThat(TierCase.T1_RAM_SSD.bottom()).isEqualTo(Tier.SSD);
  }

  /** The percentages in the story's text agree with the rates in its formulas. */
  @Test
  void publishedRatesAgreeWithPublishedRatios() {
    assertThat(ratio(TierCase.G50_RAM, TierCase.G50_HDD)).isCloseTo(1.63, within(0.005));
    assertThat(ratio(TierCase.G50_SSD, TierCase.G50_HDD)).isCloseTo(1.28, within(0.005));
    assertThat(ratio(TierCase.T1_SSD, TierCase.T1_HDD)).isCloseTo(1.34, within(0.005));
    assertThat(ratio(TierCase.T1_SSD_HDD, TierCase.T1_HDD)).isCloseTo(1.36, within(0.01));
    assertThat(TierCase.T1_RAM_SSD_HDD.storyRate()).isEmpty();
  }

  private static double ratio(TierCase one, TierCase over) {
    return one.storyRate().orElseThrow() / over.storyRate().orElseThrow();
  }

  @Test
  void stockHasOnePolicyForTheFamilyAndOursHasRules() {
    TierCase one = TierCase.T1_SSD_HDD;
    assertThat(family(TierVariant.STOCK_BEST.table(one, scale))).isEqualTo("ALL_SSD");
    assertThat(family(TierVariant.STOCK_CAPACITY.table(one, scale))).isEqualTo("HOT");
    TableDescriptor ours = TierVariant.OURS.table(one, scale);
    assertThat(family(ours)).isNull();
    assertThat(ours.getValue("hbase.fastpath.tiering.flush")).isEqualTo("ALL_SSD");
    assertThat(ours.getValue("hbase.fastpath.tiering.compaction")).isEqualTo("ALL_SSD");
    assertThat(ours.getValue("hbase.fastpath.tiering.large-compaction")).isEqualTo("HOT");
    assertThat(ours.getValue("hbase.fastpath.tiering.large-compaction-size"))
        .isEqualTo(Long.toString(scale.limitBytes(one.dataset())));
  }

  private static String family(TableDescriptor table) {
    return table.getColumnFamily(YcsbRows.FAMILY).getStoragePolicy();
  }

  @Test
  void capacityDiffersOnlyWhereStoreFilesAreMixed() {
    assertThat(Arrays.stream(TierCase.values()).filter(TierVariant.STOCK_CAPACITY::appliesTo))
        .containsExactly(
            TierCase.T1_SSD_HDD,
            TierCase.T1_SSD_ALL_HDD,
            TierCase.T1_RAM_SSD_HDD,
            TierCase.T1_RAM_SSD_ALL_HDD);
    assertThat(Arrays.stream(TierCase.values())).allMatch(TierVariant.OURS::appliesTo);
  }

  @Test
  void rulesAreThoseOfOurs() {
    TierScale scale = new TierScale(128, 60, false);
    for (TierCase one : TierCase.values()) {
      assertThat(TierVariant.RULES.table(one, scale)).isEqualTo(TierVariant.OURS.table(one, scale));
    }
    assertThat(TierVariant.RULES.regionServerConf()).isEqualTo(TierVariant.OURS.regionServerConf());
    assertThat(TierVariant.RULES.masterConf()).isEqualTo(TierVariant.OURS.masterConf());
  }

  @Test
  void theGuardIsInOneVariantOnly() {
    assertThat(TierVariant.OURS.regionServerConf()).doesNotContainKey("hbase.quota.enabled");
    assertThat(TierVariant.OURS_GUARDED.regionServerConf())
        .containsAllEntriesOf(TierVariant.OURS.regionServerConf())
        .containsEntry("hbase.fastpath.tier-guard.throttle", "true");
    assertThat(TierVariant.OURS_GUARDED.masterConf()).containsEntry("hbase.quota.enabled", "true");
    assertThat(TierVariant.STOCK_BEST.regionServerConf()).isEmpty();
    assertThatThrownBy(
            () ->
                Experiment.named(
                    "side", "theirs", List.of(TierVariant.values()), TierVariant::label))
        .hasMessageContaining("stock-capacity");
  }

  @Test
  void aKeyOfOneVariantGoesBeforeTheSameKeyOfAll() {
    Map<String, String> conf = Map.of("files", "57", "ours:files", "64", "ours:threads", "6");

    assertThat(TierVariant.STOCK_BEST.own(conf)).isEqualTo(Map.of("files", "57"));
    assertThat(TierVariant.OURS.own(conf)).isEqualTo(Map.of("files", "64", "threads", "6"));
    assertThat(TierVariant.OURS_GUARDED.own(conf)).isEqualTo(Map.of("files", "57"));
  }
}
