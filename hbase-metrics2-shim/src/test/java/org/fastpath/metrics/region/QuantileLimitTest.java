package org.fastpath.metrics.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The one key of the region metrics. */
class QuantileLimitTest {
  private final Configuration configuration = new Configuration(false);

  @Test
  void isAThousandIfNothingIsSaid() {
    assertThat(QuantileLimit.of(configuration)).isEqualTo(1000);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "100000, 100000", "' 7 ', 7"})
  void isWhatIsSaid(String value, int limit) {
    configuration.set(QuantileLimit.KEY, value);
    assertThat(QuantileLimit.of(configuration)).isEqualTo(limit);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "100001", "many", "1k", "", "99999999999"})
  void aWrongValueIsNamedWithKeyAndWhatIsAllowed(String value) {
    configuration.set(QuantileLimit.KEY, value);
    assertThatThrownBy(() -> QuantileLimit.of(configuration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "hbase.fastpath.metrics.regions-with-quantiles is '"
                + value
                + "'; allowed are whole numbers from 0 to 100000");
  }
}
