package org.fastpath.bench.workloads.tiers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.fastpath.bench.engine.Experiment;
import org.junit.jupiter.api.Test;

/** Tests the eleven cases and their configuration on each variant. */
class TierCaseTest {
  private static TierCase of(String label) {
    return Experiment.named("case", label, TierCase.ALL, TierCase::label);
  }

  private static TierScale scale(TierCase one) {
    return new TierScale(one, 64, 60, false);
  }

  private static Map<Tier, Long> counts(TierCase one) {
    return one.volumes().stream()
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  @Test
  void thereAreElevenWithTheStorysNames() {
    assertThat(TierCase.ALL.stream().map(TierCase::label))
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
    for (TierCase one : TierCase.ALL) {
      assertThat(of(one.label())).isSameAs(one);
      assertThat(one.dataset() == TierCase.GB_50).isEqualTo(one.label().startsWith("50G"));
      assertThat(TierCase.ALL.stream().map(TierCase::label)).containsAll(one.comparedWith());
    }
    assertThatThrownBy(() -> of("2T_SSD"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is no case 2T_SSD")
        .hasMessageContaining("1T_RAM_SSD_HDD");
  }

  @Test
  void volumesAreThoseOfTable1() {
    assertThat(counts(of("50G_RAM"))).isEqualTo(Map.of(Tier.RAM, 1L));
    assertThat(counts(of("1T_SSD"))).isEqualTo(Map.of(Tier.SSD, 8L));
    assertThat(counts(of("1T_RAM_HDD"))).isEqualTo(Map.of(Tier.RAM, 1L, Tier.HDD, 8L));
    assertThat(counts(of("1T_SSD_HDD"))).isEqualTo(Map.of(Tier.SSD, 4L, Tier.HDD, 4L));
    assertThat(counts(of("1T_RAM_SSD_All_HDD")))
        .isEqualTo(Map.of(Tier.RAM, 1L, Tier.SSD, 4L, Tier.HDD, 4L));
  }

  @Test
  void whatLiesWhereIsThatOfTable1() {
    TierCase mixed = of("1T_RAM_SSD_HDD");
    assertThat(mixed.wal()).isEqualTo(Tier.RAM);
    assertThat(mixed.flushed()).isEqualTo(Tier.SSD);
    assertThat(mixed.compacted()).isEqualTo(Tier.SSD);
    assertThat(mixed.large()).isEqualTo(Tier.HDD);
    assertThat(mixed.bottom()).isEqualTo(Tier.HDD);
    assertThat(of("1T_SSD_All_HDD").compacted()).isEqualTo(Tier.HDD);
    assertThat(of("1T_RAM_SSD").bottom()).isEqualTo(Tier.SSD);
  }

  /** The percentages in the story's text agree with the rates in its formulas. */
  @Test
  void publishedRatesAgreeWithPublishedRatios() {
    assertThat(ratio(of("50G_RAM"), of("50G_HDD"))).isCloseTo(1.63, within(0.005));
    assertThat(ratio(of("50G_SSD"), of("50G_HDD"))).isCloseTo(1.28, within(0.005));
    assertThat(ratio(of("1T_SSD"), of("1T_HDD"))).isCloseTo(1.34, within(0.005));
    assertThat(ratio(of("1T_SSD_HDD"), of("1T_HDD"))).isCloseTo(1.36, within(0.01));
    assertThat(of("1T_RAM_SSD_HDD").storyRate()).isNaN();
  }

  private static double ratio(TierCase one, TierCase over) {
    return one.storyRate() / over.storyRate();
  }

  @Test
  void stockHasOnePolicyForTheFamilyAndOursHasRules() {
    TierScale scale = scale(of("1T_SSD_HDD"));
    assertThat(family(TierVariant.STOCK_BEST.table(scale))).isEqualTo("ALL_SSD");
    assertThat(family(TierVariant.STOCK_CAPACITY.table(scale))).isEqualTo("HOT");
    TableDescriptor ours = TierVariant.OURS.table(scale);
    assertThat(family(ours)).isNull();
    assertThat(ours.getValue("hbase.fastpath.tiering.flush")).isEqualTo("ALL_SSD");
    assertThat(ours.getValue("hbase.fastpath.tiering.compaction")).isEqualTo("ALL_SSD");
    assertThat(ours.getValue("hbase.fastpath.tiering.large-compaction")).isEqualTo("HOT");
    assertThat(ours.getValue("hbase.fastpath.tiering.large-compaction-size"))
        .isEqualTo(Long.toString(scale.limitBytes()));
  }

  private static String family(TableDescriptor table) {
    return table.getColumnFamily(YcsbRows.FAMILY).getStoragePolicy();
  }

  @Test
  void capacityDiffersOnlyWhereStoreFilesAreMixed() {
    assertThat(TierCase.ALL.stream().filter(TierVariant.STOCK_CAPACITY::appliesTo))
        .containsExactly(
            of("1T_SSD_HDD"), of("1T_SSD_All_HDD"), of("1T_RAM_SSD_HDD"), of("1T_RAM_SSD_All_HDD"));
    assertThat(TierCase.ALL).allMatch(TierVariant.OURS::appliesTo);
  }

  @Test
  void rulesAreThoseOfOurs() {
    for (TierCase one : TierCase.ALL) {
      TierScale scale = scale(one);
      assertThat(TierVariant.RULES.table(scale)).isEqualTo(TierVariant.OURS.table(scale));
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
                    "side", "theirs", List.of(TierVariant.values()), variant -> variant.label))
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
