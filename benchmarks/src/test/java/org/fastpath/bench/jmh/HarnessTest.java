package org.fastpath.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.World;
import org.junit.jupiter.api.Test;

class HarnessTest {
  private static Trial trial(String benchmark, String size, World world) {
    return new Trial(benchmark, Map.of("size", size), world, "");
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
  void valuesThatAreVariantsAreNeighboursAndStandForTheWorld() {
    Trial a = new Trial("one", Map.of("counter", "a", "size", "1"), World.METRICS, "counter");
    Trial b = new Trial("one", Map.of("counter", "b", "size", "1"), World.METRICS, "counter");
    Trial c = new Trial("one", Map.of("counter", "a", "size", "2"), World.METRICS, "counter");

    assertThat(Harness.interleave(List.of(a, c, b))).containsExactly(List.of(a, b), List.of(c));
    assertThat(b.variant()).isEqualTo("b");
    assertThat(b.shared()).isEqualTo(Map.of("size", "1"));
    assertThat(trial("one", "1", World.JDK).variant()).isEqualTo("jdk");
  }

  @Test
  void threadsAreAParameter() {
    assertThat(trial("one", "1", World.JDK).threads()).isEqualTo(1);
    assertThat(new Trial("one", Map.of("threads", "16"), World.JDK, "").threads()).isEqualTo(16);
  }

  @Test
  void anotherWorldGoesFirstInEachRound() {
    Trial a = trial("one", "1", World.STOCK_JAVA);
    Trial b = trial("one", "1", World.OURS_AUTO);
    Trial c = trial("one", "1", World.OURS_JDK);

    assertThat(Interleaved.order(List.of(a, b, c), 0)).containsExactly(a, b, c);
    assertThat(Interleaved.order(List.of(a, b, c), 1)).containsExactly(b, c, a);
    assertThat(Interleaved.order(List.of(a, b, c), 2)).containsExactly(c, a, b);
    assertThat(Interleaved.order(List.of(a, b, c), 3)).containsExactly(a, b, c);
  }
}
