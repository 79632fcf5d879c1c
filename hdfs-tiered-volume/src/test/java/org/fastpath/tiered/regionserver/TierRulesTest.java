package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.fastpath.tiered.regionserver.StoreFileKind.FLUSH;
import static org.fastpath.tiered.regionserver.StoreFileKind.MAJOR_COMPACTION;
import static org.fastpath.tiered.regionserver.StoreFileKind.MINOR_COMPACTION;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.tiered.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TierRulesTest {
  private static final long SMALL = 1 << 20;
  private static final long LARGE = 1536L << 20;

  private final Configuration store = new Configuration(false);

  @Test
  void withoutKeysThereAreNoRules() {
    TierRules rules = TierRules.of(store);
    assertThat(rules.isEmpty()).isTrue();
    for (StoreFileKind kind : StoreFileKind.values()) {
      assertThat(policy(rules, kind, LARGE)).isEmpty();
    }
  }

  @Test
  void eachKindOfFileHasItsOwn() {
    store.set(TierRules.FLUSH, "all_ssd");
    store.set(TierRules.COMPACTION, "ONE_SSD");
    store.set(TierRules.MAJOR, "HOT");
    store.set(TierRules.LARGE, "COLD");
    TierRules rules = TierRules.of(store);
    assertThat(policy(rules, FLUSH, -1)).contains("ALL_SSD");
    assertThat(policy(rules, MINOR_COMPACTION, SMALL)).contains("ONE_SSD");
    assertThat(policy(rules, MAJOR_COMPACTION, SMALL)).contains("HOT");
    assertThat(policy(rules, MINOR_COMPACTION, LARGE)).contains("COLD");
    assertThat(policy(rules, MAJOR_COMPACTION, LARGE)).contains("COLD");
    assertThat(policy(rules, MAJOR_COMPACTION, LARGE - 1)).contains("HOT");
  }

  @Test
  void whatHasNoRuleOfItsOwnFollowsTheMoreGeneral() {
    store.set(TierRules.COMPACTION, "HOT");
    TierRules rules = TierRules.of(store);
    assertThat(policy(rules, FLUSH, -1)).isEmpty();
    assertThat(policy(rules, MINOR_COMPACTION, LARGE)).contains("HOT");
    assertThat(policy(rules, MAJOR_COMPACTION, LARGE)).contains("HOT");
    assertThat(policy(rules, MAJOR_COMPACTION, -1)).contains("HOT");
  }

  @Test
  void theLimitOfLargeInputsCanBeSet() {
    store.set(TierRules.LARGE, "COLD");
    store.set(TierRules.LARGE_SIZE, "64m");
    TierRules rules = TierRules.of(store);
    assertThat(policy(rules, MINOR_COMPACTION, (64 << 20) - 1)).isEmpty();
    assertThat(policy(rules, MINOR_COMPACTION, 64 << 20)).contains("COLD");
  }

  @Test
  void oldCellsGoBeforeAllElse() {
    store.set(TierRules.COMPACTION, "HOT");
    store.set(TierRules.LARGE, "ONE_SSD");
    store.set(TierRules.OLD, "COLD");
    store.set(TierRules.OLD_AGE, "2h");
    TierRules rules = TierRules.of(store);
    long age = TimeUnit.HOURS.toMillis(2);
    assertThat(rules.policy(new StoreFileOrigin(MINOR_COMPACTION, LARGE, age))).contains("COLD");
    assertThat(rules.policy(new StoreFileOrigin(MAJOR_COMPACTION, SMALL, age))).contains("COLD");
    assertThat(rules.policy(new StoreFileOrigin(MINOR_COMPACTION, LARGE, age - 1)))
        .contains("ONE_SSD");
    assertThat(rules.policy(new StoreFileOrigin(MINOR_COMPACTION, SMALL, -1))).contains("HOT");
    assertThat(rules.policy(StoreFileOrigin.FLUSH)).isEmpty();
  }

  @Test
  void mobFilesAndBulkLoadsHaveTheirOwn() {
    store.set(TierRules.MOB, "cold");
    store.set(TierRules.BULK_LOAD, "WARM");
    TierRules rules = TierRules.of(store);
    assertThat(rules.mob()).contains("COLD");
    assertThat(rules.bulkLoad()).contains("WARM");
    assertThat(rules.policies())
        .containsOnly(Map.entry(TierRules.MOB, "COLD"), Map.entry(TierRules.BULK_LOAD, "WARM"));
    assertThat(rules.formats()).isEmpty();
    assertThat(policy(rules, FLUSH, -1)).isEmpty();
  }

  @Test
  void aPolicyCanHaveItsFormat() {
    store.set(TierRules.COMPACTION, "COLD");
    store.set(TierRules.FLUSH, "HOT");
    store.set(TierFormat.COMPRESSION + "COLD", "GZ");
    store.set(TierFormat.ENCODING + "COLD", "fast_diff");
    store.set(TierFormat.BLOCK_SIZE + "COLD", "256k");
    TierRules rules = TierRules.of(store);
    assertThat(rules.formats())
        .containsOnly(
            Map.entry("HOT", TierFormat.STOCK),
            Map.entry(
                "COLD",
                new TierFormat(
                    Optional.of(Compression.Algorithm.GZ),
                    Optional.of(DataBlockEncoding.FAST_DIFF),
                    Optional.of(256 << 10))));
  }

  @Test
  void aFormatChangesNothingElseOfAFamily() {
    ColumnFamilyDescriptor family =
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f")).setMaxVersions(7).build();
    store.set(TierFormat.ENCODING + "COLD", "PREFIX");
    store.set(TierFormat.BLOCK_SIZE + "COLD", "8k");
    assertThat(TierFormat.of(store, "COLD").of(family))
        .isEqualTo(
            ColumnFamilyDescriptorBuilder.newBuilder(family)
                .setDataBlockEncoding(DataBlockEncoding.PREFIX)
                .setBlocksize(8 << 10)
                .build());
    assertThat(TierFormat.STOCK.of(family)).isEqualTo(family);
  }

  @ParameterizedTest
  @CsvSource({
    "flush, LAZY_PERSIST, any other policy",
    "large-compaction-size, 12q, suffix k",
    "large-compaction-size, 1k, from 1048576 to",
    "mob, lazy_persist, any other policy",
    "old-compaction-age, soon, suffix s",
    "old-compaction-age, 100ms, from 1000 to",
    "compression.COLD, zipp, one of lzo",
    "compression.COLD, brotli, that can be loaded here",
    "encoding.COLD, PREFIX_TREE, 'one of DIFF, FAST_DIFF, NONE, PREFIX'",
    "block-size.COLD, 100, from 1024 to 16777216"
  })
  void aWrongValueIsNamed(String key, String value, String allowed) {
    store.set(TierRules.COMPACTION, "COLD");
    store.set(TierRules.PREFIX + key, value);
    assertThatThrownBy(() -> TierRules.of(store))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("hbase.fastpath.tiering." + key + " is " + value + ", allowed is ")
        .hasMessageContaining(allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "DateTieredStoreEngine, true, compaction, true",
    "DateTieredStoreEngine, true, old-compaction, true",
    "DateTieredStoreEngine, true, flush, false",
    "DateTieredStoreEngine, false, compaction, false",
    "StripeStoreEngine, true, compaction, false"
  })
  void policiesOfDateTieredCompactionGoWithNoRuleForCompactions(
      String engine, String enabled, String key, boolean refused) {
    store.set("hbase.hstore.engine.class", "org.apache.hadoop.hbase.regionserver." + engine);
    store.set("hbase.hstore.compaction.date.tiered.storage.policy.enable", enabled);
    store.set(TierRules.PREFIX + key, "COLD");
    if (refused) {
      assertThatThrownBy(() -> TierRules.of(store))
          .isInstanceOf(InvalidValueException.class)
          .hasMessage(
              TierRules.PREFIX
                  + key
                  + " is COLD, allowed is nothing while"
                  + " hbase.hstore.compaction.date.tiered.storage.policy.enable is true");
    } else {
      assertThat(TierRules.of(store).isEmpty()).isFalse();
    }
  }

  private static Optional<String> policy(TierRules rules, StoreFileKind kind, long inputBytes) {
    return rules.policy(new StoreFileOrigin(kind, inputBytes, -1));
  }

  @Test
  void aKeyThatIsNoneIsNamed() {
    assertThatThrownBy(() -> TierRules.requireKnown(TierRules.PREFIX + "flsuh", "HOT"))
        .hasMessageContaining("hbase.fastpath.tiering.flsuh is HOT, allowed is nothing")
        .hasMessageContaining("hbase.fastpath.tiering.flush");
    assertThatCode(
            () -> {
              TierRules.requireKnown(TierRules.FLUSH, "HOT");
              TierRules.requireKnown(TierRules.LARGE_SIZE, "2g");
              TierRules.requireKnown(TierRules.OLD_AGE, "1d");
              TierRules.requireKnown(TierFormat.COMPRESSION + "HOT", "none");
              TierRules.requireKnown(TierFormat.ENCODING + "HOT", "none");
              TierRules.requireKnown("hbase.wal.storage.policy", "HOT");
            })
        .doesNotThrowAnyException();
  }
}
