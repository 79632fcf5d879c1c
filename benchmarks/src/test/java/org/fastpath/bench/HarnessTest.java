package org.fastpath.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HarnessTest {
  private static Trial trial(String benchmark, String size, World world) {
    return new Trial(benchmark, Map.of("size", size), world);
  }

  @Test
  void worldsOfOneSetOfParametersAreNeighbours() {
    Trial a = trial("one", "1", World.STOCK_JAVA);
    Trial b = trial("one", "1", World.OURS_AUTO);
    Trial c = trial("one", "2", World.STOCK_JAVA);
    Trial d = trial("rival", "1", World.JDK);

    assertThat(Harness.interleave(List.of(a, b, c, d)))
        .containsExactly(List.of(a, b, d), List.of(c));
  }

  @Test
  void anotherWorldGoesFirstInEachRound() {
    Trial a = trial("one", "1", World.STOCK_JAVA);
    Trial b = trial("one", "1", World.OURS_AUTO);
    Trial c = trial("one", "1", World.OURS_JDK);

    assertThat(Harness.rotated(List.of(a, b, c), 0)).containsExactly(a, b, c);
    assertThat(Harness.rotated(List.of(a, b, c), 1)).containsExactly(b, c, a);
    assertThat(Harness.rotated(List.of(a, b, c), 2)).containsExactly(c, a, b);
    assertThat(Harness.rotated(List.of(a, b, c), 3)).containsExactly(a, b, c);
  }
}
