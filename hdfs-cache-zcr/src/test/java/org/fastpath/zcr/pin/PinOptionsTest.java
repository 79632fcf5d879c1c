package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PinOptionsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void defaults() {
    PinOptions options = PinOptions.of(conf);
    assertThat(options.enabled()).isTrue();
    assertThat(options.pool()).isEqualTo("hbase-fastpath");
    assertThat(options.limit()).isEmpty();
    assertThat(options.policy()).isEqualTo(PinPolicy.AUTO);
    assertThat(options.replication()).isEqualTo((short) 3);
    assertThat(options.limits()).isEqualTo(new PinLimits(0, 0.1, 2, 32));
  }

  @Test
  void asManyReplicasAreLockedAsThereAre() {
    conf.set("dfs.replication", "2");
    assertThat(PinOptions.of(conf).replication()).isEqualTo((short) 2);
    conf.set(PinOptions.REPLICATION, "1");
    assertThat(PinOptions.of(conf).replication()).isEqualTo((short) 1);
  }

  @ParameterizedTest
  @CsvSource({
    "enabled, yes, true or false",
    "limit, 1x, 'a number of bytes, or one with the suffix k, m, g or t, from 1 m to 1024 t'",
    "limit, 0, 'a number of bytes, or one with the suffix k, m, g or t, from 1 m to 1024 t'",
    "policy, SOMETIMES, ALWAYS or AUTO or NEVER",
    "replication, 0, a whole number from 1 to 512",
    "interval-seconds, 0, a whole number from 1 to 3600",
    "half-life-seconds, 10m, a whole number from 1 to 864000",
    "lease-seconds, 9, a whole number from 10 to 864000",
    "compaction-wait-seconds, -1, a whole number from 0 to 600",
    "reserve, 1, a number from 0.0 to 0.9",
    "reserve, NaN, a number from 0.0 to 0.9",
    "factor, 0.5, a number from 1.0 to 1000.0",
    "changes-per-round, 0, a whole number from 1 to 100000",
  })
  void aWrongValueIsOneErrorThatNamesKeyAndValueAndWhatIsAllowed(
      String key, String value, String allowed) {
    String whole = "hbase.fastpath.hdfs-cache." + key;
    conf.set(whole, value);
    assertThatThrownBy(() -> PinOptions.of(conf))
        .isInstanceOf(PinConfigurationException.class)
        .hasMessage(whole + " is " + value + ", allowed is " + allowed);
  }
}
