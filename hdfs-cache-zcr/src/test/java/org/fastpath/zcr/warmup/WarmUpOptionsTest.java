package org.fastpath.zcr.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WarmUpOptionsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void hasADefault() {
    assertThat(WarmUpOptions.of(conf).limit()).isEqualTo(Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 300})
  void takesWhatIsAllowed(int seconds) {
    conf.set("hbase.fastpath.warm-up.seconds", " " + seconds + " ");
    assertThat(WarmUpOptions.of(conf).limit()).isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "301", "-1", "1.5", "10s", "99999999999"})
  void refusesOthers(String value) {
    conf.set("hbase.fastpath.warm-up.seconds", value);
    assertThatThrownBy(() -> WarmUpOptions.of(conf))
        .hasMessage(
            "hbase.fastpath.warm-up.seconds is "
                + value
                + ", allowed is a whole number from 1 to 300");
  }
}
