package org.fastpath.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Half the weight goes, and an odd one is rounded either way. */
class HalvingTest {
  @Test
  void evenWeightLosesHalf() {
    assertThat(Halving.loss(1000, 1)).isEqualTo(500);
    assertThat(Halving.loss(1024, 3)).isEqualTo(1024 - 128);
    assertThat(Halving.loss(0, 3)).isZero();
  }

  @Test
  void singleValuesGoHalfOfTheTime() {
    int tosses = 100_000;
    int lost = IntStream.range(0, tosses).map(i -> Halving.loss(1, 1)).sum();
    assertThat(lost).isBetween(tosses * 45 / 100, tosses * 55 / 100);
  }

  @Test
  void nothingGoesBelowZero() {
    assertThat(IntStream.range(0, 10_000).map(i -> i - Halving.loss(i, 1 + i % 40)))
        .allMatch(left -> left >= 0);
    assertThat(Halving.loss(Integer.MAX_VALUE, Integer.SIZE)).isGreaterThan(Integer.MAX_VALUE - 2);
  }
}
