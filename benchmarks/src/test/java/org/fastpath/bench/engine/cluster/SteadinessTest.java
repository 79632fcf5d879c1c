package org.fastpath.bench.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteadinessTest {
  private final Steadiness steadiness = new Steadiness();

  private boolean after(double... percent) {
    for (double value : percent) {
      steadiness.add(value);
    }
    return steadiness.reached();
  }

  @Test
  void aFewValuesProveNothing() {
    assertThat(after(70, 70, 70)).isFalse();
    assertThat(after(70)).isTrue();
  }

  @Test
  void aClimbIsNotSteady() {
    assertThat(after(70, 70.5, 71, 71.5)).isFalse();
    assertThat(after(71.6, 71.7)).isTrue();
  }

  @Test
  void whatIsPastDoesNotCount() {
    assertThat(after(10, 20, 70, 70, 70.9, 70.1)).isTrue();
    assertThat(after(60)).isFalse();
  }
}
