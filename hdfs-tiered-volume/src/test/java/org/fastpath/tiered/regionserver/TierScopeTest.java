package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.tiered.InvalidValueException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TierScopeTest {
  private static final ColumnFamilyDescriptor PLAIN =
      ColumnFamilyDescriptorBuilder.of(Bytes.toBytes("plain"));
  private static final ColumnFamilyDescriptor MOB =
      ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("mob")).setMobEnabled(true).build();

  private final TierScope scope = new TierScope();

  @ParameterizedTest
  @CsvSource({
    "large-compaction-size, 1g, without hbase.fastpath.tiering.large-compaction",
    "old-compaction-age, 1d, without hbase.fastpath.tiering.old-compaction",
    "cold-age, 1d, without hbase.fastpath.tiering.cold",
    "archive-age, 1d, without hbase.fastpath.tiering.archive",
    "hot-reads, 10, without hbase.fastpath.tiering.hot",
    "mob, COLD, without a family that has MOB files",
    "compression.COLD, gz, policies of flushes and compactions are HOT",
    "encoding.WARM, DIFF, policies of flushes and compactions are HOT",
    "block-size.hot, 8k, policies of flushes and compactions are HOT"
  })
  void whatMeansNothingIsRefused(String key, String value, String why) {
    add(PLAIN, Map.of(TierRules.FLUSH, "HOT", TierRules.BULK_LOAD, "COLD", TierRules.MOB, "WARM"));
    assertThatThrownBy(() -> scope.requireMeaning(TierRules.PREFIX + key, value))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith(TierRules.PREFIX + key + " is " + value + ", allowed is nothing")
        .hasMessageEndingWith(why);
  }

  @ParameterizedTest
  @CsvSource({
    "large-compaction-size, 1g",
    "old-compaction-age, 1d",
    "archive-age, 1d",
    "mob, COLD",
    "compression.COLD, gz",
    "encoding.HOT, DIFF",
    "flush, HOT",
    "encoding.WARM, ''",
    "unknown, HOT"
  })
  void whatMeansSomethingToOneFamilyIsNot(String key, String value) {
    add(
        PLAIN,
        Map.of(
            TierRules.FLUSH,
            "HOT",
            TierRules.LARGE,
            "COLD",
            TierRules.OLD,
            "COLD",
            AtRestRules.ARCHIVE,
            "COLD"));
    add(MOB, Map.of());
    assertThatCode(() -> scope.requireMeaning(TierRules.PREFIX + key, value))
        .doesNotThrowAnyException();
  }

  private void add(ColumnFamilyDescriptor family, Map<String, String> rules) {
    Configuration store = new Configuration(false);
    rules.forEach(store::set);
    scope.add(family, TierRules.of(store), AtRestRules.of(store));
  }
}
