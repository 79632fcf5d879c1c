package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.fastpath.tiered.regionserver.StoreFileKind.FLUSH;
import static org.fastpath.tiered.regionserver.StoreFileKind.MAJOR_COMPACTION;
import static org.fastpath.tiered.regionserver.StoreFileKind.MINOR_COMPACTION;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
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
      assertThat(rules.policy(kind, LARGE)).isEmpty();
    }
  }

  @Test
  void eachKindOfFileHasItsOwn() {
    store.set(TierRules.FLUSH, "all_ssd");
    store.set(TierRules.COMPACTION, "ONE_SSD");
    store.set(TierRules.MAJOR, "HOT");
    store.set(TierRules.LARGE, "COLD");
    TierRules rules = TierRules.of(store);
    assertThat(rules.policy(FLUSH, -1)).contains("ALL_SSD");
    assertThat(rules.policy(MINOR_COMPACTION, SMALL)).contains("ONE_SSD");
    assertThat(rules.policy(MAJOR_COMPACTION, SMALL)).contains("HOT");
    assertThat(rules.policy(MINOR_COMPACTION, LARGE)).contains("COLD");
    assertThat(rules.policy(MAJOR_COMPACTION, LARGE)).contains("COLD");
    assertThat(rules.policy(MAJOR_COMPACTION, LARGE - 1)).contains("HOT");
  }

  @Test
  void whatHasNoRuleOfItsOwnFollowsTheMoreGeneral() {
    store.set(TierRules.COMPACTION, "HOT");
    TierRules rules = TierRules.of(store);
    assertThat(rules.policy(FLUSH, -1)).isEmpty();
    assertThat(rules.policy(MINOR_COMPACTION, LARGE)).contains("HOT");
    assertThat(rules.policy(MAJOR_COMPACTION, LARGE)).contains("HOT");
    assertThat(rules.policy(MAJOR_COMPACTION, -1)).contains("HOT");
  }

  @Test
  void theLimitOfLargeInputsCanBeSet() {
    store.set(TierRules.LARGE, "COLD");
    store.set(TierRules.LARGE_SIZE, "64m");
    TierRules rules = TierRules.of(store);
    assertThat(rules.policy(MINOR_COMPACTION, (64 << 20) - 1)).isEmpty();
    assertThat(rules.policy(MINOR_COMPACTION, 64 << 20)).contains("COLD");
  }

  @Test
  void aPolicyCanHaveItsCompression() {
    store.set(TierRules.COMPACTION, "COLD");
    store.set(TierRules.COMPRESSION + "COLD", "GZ");
    TierRules rules = TierRules.of(store);
    assertThat(rules.compression("COLD")).contains(Compression.Algorithm.GZ);
    assertThat(rules.compression("HOT")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "flush, LAZY_PERSIST, any policy but this",
    "large-compaction-size, 12q, suffix k",
    "large-compaction-size, 1k, from 1048576 to",
    "compression.COLD, zipp, one of lzo"
  })
  void aWrongValueIsNamed(String key, String value, String allowed) {
    store.set(TierRules.COMPACTION, "COLD");
    store.set(TierRules.PREFIX + key, value);
    assertThatThrownBy(() -> TierRules.of(store))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("hbase.fastpath.tiering." + key + " is " + value + ", allowed is ")
        .hasMessageContaining(allowed);
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
              TierRules.requireKnown(TierRules.COMPRESSION + "HOT", "none");
              TierRules.requireKnown("hbase.wal.storage.policy", "HOT");
            })
        .doesNotThrowAnyException();
  }
}
