package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AccessFrequenciesTest {
  private static final long HALF_LIFE = 1_000;

  private final AccessFrequencies heats = new AccessFrequencies(HALF_LIFE);

  private void opened(String file) {
    heats.read(file, file, 0, 0);
  }

  @Test
  void halfIsForgottenEveryHalfLife() {
    opened("a");
    heats.read("a", "a", 800, 0);
    assertThat(heats.of("a", 1_000)).isEqualTo(400, within(1e-9));
    assertThat(heats.of("a", 3_000)).isEqualTo(100, within(1e-9));
  }

  @Test
  void whatIsReadSinceTheLastTotalIsAdded() {
    opened("a");
    heats.read("a", "a", 800, 0);
    heats.read("a", "a", 900, 1_000);
    assertThat(heats.of("a", 1_000)).isEqualTo(500, within(1e-9));
  }

  @Test
  void whatOpeningAFileReadsIsNoHeat() {
    heats.read("a", "a", 800, 0);
    assertThat(heats.of("a", 0)).isZero();
    heats.read("a", "a", 900, 0);
    heats.read("a", "a", 300, 0);
    heats.read("a", "a", 350, 0);
    assertThat(heats.of("a", 0)).isEqualTo(150, within(1e-9));
  }

  @Test
  void theReadersOfAFileAddUp() {
    heats.read("parent", "top", 0, 0);
    heats.read("parent", "bottom", 0, 0);
    heats.read("parent", "top", 100, 0);
    heats.read("parent", "bottom", 300, 0);
    heats.read("parent", "top", 100, 0);
    assertThat(heats.of("parent", 0)).isEqualTo(400, within(1e-9));
  }

  @Test
  void anOutputOfACompactionHasItsShareOfTheInputsHeat() {
    opened("a");
    opened("b");
    heats.read("a", "a", 800, 0);
    heats.read("b", "b", 400, 1_000);
    heats.inherit("c", List.of("a", "b", "unknown"), 0.5, 1_000);
    assertThat(heats.of("c", 1_000)).isEqualTo(400, within(1e-9));
    heats.retain(Set.of("c"), Set.of());
    assertThat(heats.of("a", 1_000)).isZero();
    assertThat(heats.of("c", 2_000)).isEqualTo(200, within(1e-9));
  }

  @Test
  void aFileSettlesInAHalfLife() {
    assertThat(heats.settling("a", 0)).isTrue();
    heats.read("a", "a", 0, 0);
    assertThat(heats.settling("a", HALF_LIFE - 1)).isTrue();
    assertThat(heats.settling("a", HALF_LIFE)).isFalse();
  }
}
