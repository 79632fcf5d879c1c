package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.fastpath.tiered.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the values of the configuration. */
class KernelAdviceTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void leavesNothingOutUnlessTold() {
    KernelAdvice advice = KernelAdvice.of(conf);
    assertThat(advice.writeBehind()).containsExactlyInAnyOrder(StorageType.values());
    assertThat(advice.dropBehind()).containsExactlyInAnyOrder(StorageType.values());
  }

  @Test
  void isForTheTypesThatAreNamed() {
    conf.set(KernelAdvice.WRITE_BEHIND_TYPES, "disk, ARCHIVE");
    KernelAdvice advice = KernelAdvice.of(conf);
    assertThat(advice.writeBehind())
        .containsExactlyInAnyOrder(StorageType.DISK, StorageType.ARCHIVE);
    assertThat(advice.dropBehind()).containsExactlyInAnyOrder(StorageType.values());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "DISK,,SSD", "TAPE", "*,DISK"})
  void refusesWithKeyValueAndWhatIsAllowed(String value) {
    conf.set(KernelAdvice.DROP_BEHIND_TYPES, value);
    assertThatThrownBy(() -> KernelAdvice.of(conf))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith(
            "dfs.fastpath.drop-behind.types is "
                + (value.isEmpty() ? "empty" : value)
                + ", allowed is * or any of [RAM_DISK, SSD, DISK, ARCHIVE");
  }
}
