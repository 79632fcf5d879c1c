package org.fastpath.tiered.regionserver.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.fastpath.tiered.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardOptionsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void defaultsAreThoseOfTheDocumentation() {
    assertThat(GuardOptions.of(conf))
        .isEqualTo(new GuardOptions(true, 1000, 30, 1.1, 60, 1800, false, 10));
  }

  @ParameterizedTest
  @CsvSource({
    "enabled, maybe, true or false",
    "interval-millis, 99, milliseconds from 100 to 60000",
    "sustained-seconds, 0, seconds from 1 to 3600",
    "overload-percent, 100, percent from 101 to 1000",
    "recovery-seconds, soon, seconds from 1 to 3600",
    "repeat-seconds, 86401, seconds from 1 to 86400",
    "survey-seconds, -1, seconds from 1 to 3600",
    "throttel, true, nothing: the keys are hbase.fastpath.tier-guard.enabled",
    "throttle, true, hbase.quota.enabled"
  })
  void aWrongKeyIsNamed(String key, String value, String allowed) {
    conf.set(GuardOptions.PREFIX + key, value);
    assertThatThrownBy(() -> GuardOptions.of(conf))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith(GuardOptions.PREFIX + key + " is " + value + ", allowed is ")
        .hasMessageContaining(allowed);
  }

  @Test
  void aThrottleNeedsQuotas() {
    conf.set(GuardOptions.THROTTLE, "true");
    conf.set(GuardOptions.QUOTAS, "true");
    assertThat(GuardOptions.of(conf).throttle()).isTrue();
  }
}
