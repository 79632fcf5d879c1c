package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.fastpath.tiered.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the values of the configuration. */
class VolumeChoiceOptionsTest {
  private static final long SECOND = 1_000_000_000;

  private final Configuration conf = new Configuration(false);

  @Test
  void hasDefaults() {
    assertThat(VolumeChoiceOptions.of(conf))
        .isEqualTo(
            new VolumeChoiceOptions(
                4, SECOND, 5 * SECOND, 3, 5 * SECOND, 60 * SECOND, 256, 2, 1 << 30, true, 1000));
  }

  @Test
  void theLongestIntervalIsNoShorterThanTheFirst() {
    conf.set(VolumeChoiceOptions.PROBE_MILLIS, "90000");
    assertThat(VolumeChoiceOptions.of(conf).maxProbeNanos()).isEqualTo(90 * SECOND);
    conf.set(VolumeChoiceOptions.MAX_PROBE_MILLIS, "80000");
    assertThatThrownBy(() -> VolumeChoiceOptions.of(conf))
        .hasMessageContaining("milliseconds from 90000 to 3600000");
  }

  @ParameterizedTest
  @CsvSource({
    "slow-ratio, 1.2, a number from 1.5 to 100.0",
    "slow-ratio, fast, a number from 1.5 to 100.0",
    "slow-ratio, NaN, a number from 1.5 to 100.0",
    "stall-millis, 9, milliseconds from 10 to 3600000",
    "window-millis, 1, milliseconds from 500 to 3600000",
    "error-limit, '', a number from 1 to 1000",
    "error-limit, 0, a number from 1 to 1000",
    "probe-millis, soon, milliseconds from 100 to 3600000",
    "max-probe-millis, 4999, milliseconds from 5000 to 3600000",
    "choices-per-probe, 0, a number from 1 to 1000000",
    "balance-factor, 17, a number from 1.0 to 16.0",
    "additional-available-space, -1, 'bytes, or with the suffix k, m, g or t, from 0 to'",
    "device-statistics, yes, true or false",
    "device-statistics-millis, 10, milliseconds from 100 to 3600000",
  })
  void refusesWithKeyValueAndWhatIsAllowed(String key, String value, String allowed) {
    String whole = VolumeChoiceOptions.PREFIX + key;
    conf.set(whole, value);
    assertThatThrownBy(() -> new LatencyAwareVolumeChoosingPolicy<>().setConf(conf))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith(
            whole + " is " + (value.isEmpty() ? "empty" : value) + ", allowed is " + allowed);
  }
}
