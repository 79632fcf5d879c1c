package org.fastpath.bench.workloads.caches;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The warm-up of {@link BlockCacheLive} ends when the hit ratio is steady. */
class SteadinessTest {
  private static boolean steady(Double... percents) {
    return BlockCacheLive.steady(Arrays.asList(percents));
  }

  @Test
  void aFewValuesProveNothing() {
    assertThat(steady()).isFalse();
    assertThat(steady(70.0, 70.0, 70.0)).isFalse();
    assertThat(steady(70.0, 70.0, 70.0, 70.0)).isTrue();
  }

  @Test
  void aClimbIsNotSteady() {
    assertThat(steady(70.0, 70.5, 71.0, 71.5)).isFalse();
    assertThat(steady(70.0, 70.5, 71.0, 71.5, 71.6, 71.7)).isTrue();
  }

  @Test
  void onlyTheLastValuesCount() {
    assertThat(steady(10.0, 20.0, 70.0, 70.0, 70.9, 70.1)).isTrue();
    assertThat(steady(10.0, 20.0, 70.0, 70.0, 70.9, 70.1, 60.0)).isFalse();
  }
}
