package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WalPolicyTest {
  private static final String KEY = "hbase.wal.storage.policy";

  private final Configuration site = new Configuration(false);

  @Test
  void withoutTheKeyNothingIsAskedFor() {
    assertThat(WalPolicy.rule(site)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", " none ", ""})
  void whatIsLeftToHdfsIsNothing(String value) {
    site.set(KEY, value);
    assertThat(WalPolicy.rule(site)).isEmpty();
  }

  @Test
  void aPolicyIsReadAsHBaseReadsIt() {
    site.set(KEY, " one_ssd ");
    assertThat(WalPolicy.rule(site)).isEqualTo(Map.of(KEY, "ONE_SSD"));
  }
}
