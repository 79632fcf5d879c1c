package org.fastpath.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.fastpath.bench.engine.results.Comparison;
import org.fastpath.bench.engine.results.Measurement.Better;
import org.junit.jupiter.api.Test;

/** The statistics find existing differences and no others. */
class VerdictTest {
  private static final int GROUPS = 24;

  /**
   * Returns slices of a variant. The machine drifts, a neighbour sometimes disturbs some groups and
   * affects both variants equally, and each slice has noise.
   */
  private static double[] variant(
      SplittableRandom machine, SplittableRandom own, double speed, int groups) {
    double[] slices = new double[groups];
    double drift = 1;
    boolean disturbed = false;
    for (int i = 0; i < groups; i++) {
      drift *= 1 + 0.05 * (machine.nextDouble() - 0.5);
      disturbed = machine.nextDouble() < (disturbed ? 0.6 : 0.1);
      slices[i] = speed * drift * (disturbed ? 0.6 : 1) * (1 + 0.2 * (own.nextDouble() - 0.5));
    }
    return slices;
  }

  private static String compare(long seed, double times, Better better, int groups) {
    double[] base = variant(new SplittableRandom(seed), new SplittableRandom(-seed), 1000, groups);
    double[] ours =
        variant(new SplittableRandom(seed), new SplittableRandom(~seed), 1000 * times, groups);
    return Comparison.of(base, ours, better).verdict();
  }

  private static long count(double times, Better better, String verdict) {
    return count(times, better, verdict, GROUPS);
  }

  private static long count(double times, Better better, String verdict, int groups) {
    return LongStream.range(1, 201)
        .filter(seed -> compare(seed, times, better, groups).equals(verdict))
        .count();
  }

  @Test
  void stockAgainstStockIsNoDifference() {
    assertThat(count(1, Better.HIGHER, "no difference found")).isGreaterThanOrEqualTo(196);
  }

  @Test
  void tenOrFifteenGroupsAreEnough() {
    assertThat(count(1, Better.HIGHER, "no difference found", 10)).isGreaterThanOrEqualTo(192);
    assertThat(count(1.15, Better.HIGHER, "better", 10)).isGreaterThanOrEqualTo(180);
    assertThat(count(1.12, Better.HIGHER, "better", 15)).isGreaterThanOrEqualTo(180);
  }

  @Test
  void aFifthMoreIsFound() {
    assertThat(count(1.2, Better.HIGHER, "better")).isGreaterThanOrEqualTo(190);
    assertThat(count(1.2, Better.LOWER, "worse")).isGreaterThanOrEqualTo(190);
  }

  @Test
  void aDifferenceHasOneDirection() {
    assertThat(count(1.2, Better.HIGHER, "worse")).isZero();
    assertThat(count(0.8, Better.HIGHER, "better")).isZero();
  }

  @Test
  void oneBadRoundDoesNotChangeTheRatio() {
    double[] base = {10, 10, 10, 10, 10, 10, 10, 1000};
    double[] ours = {5, 5, 5, 5, 5, 5, 5, 1};
    Comparison lower = Comparison.of(base, ours, Better.LOWER);

    assertThat(lower.ratio()).isCloseTo(2, within(1e-9));
    assertThat(lower.low()).isLessThanOrEqualTo(2);
    assertThat(lower.high()).isGreaterThanOrEqualTo(2);
    assertThat(Comparison.of(base, ours, Better.HIGHER).ratio()).isCloseTo(0.5, within(1e-9));
    assertThat(Comparison.of(new double[8], new double[8], Better.LOWER).ratio()).isEqualTo(1);
  }

  /** The machine becomes half as fast in the fifth round, between the slices of base and ours. */
  @Test
  void aChangeOfTheMachineDoesNotChangeTheRatio() {
    double[] base = {10, 10, 10, 10, 20, 20, 20, 20, 20};
    double[] ours = {8, 8, 8, 8, 8, 16, 16, 16, 16};
    Comparison comparison = Comparison.of(base, ours, Better.LOWER);

    assertThat(comparison.ratio()).isCloseTo(1.25, within(1e-9));
    assertThat(comparison.low()).isCloseTo(1.25, within(1e-9));
  }

  @Test
  void roundsWithoutAFigureOfOneVariantAreNotLost() {
    double[] base = {0, 4, 4, 4, 4, 4, 4, 4};
    double[] ours = {2, 0, 2, 2, 2, 2, 2, 2};
    Comparison comparison = Comparison.of(base, ours, Better.LOWER);

    assertThat(comparison.ratio()).isCloseTo(2, within(1e-9));
    assertThat(comparison.low()).isBetween(0.0, 2.0);
    assertThat(comparison.high()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void ofFewGroupsNothingIsSaid() {
    double[] base = {1, 1, 1, 1};
    double[] ours = {9, 9, 9, 9};

    assertThat(Comparison.of(base, ours, Better.HIGHER).verdict()).isEqualTo("no difference found");
  }

  @Test
  void aHundredthIsNoDifference() {
    assertThat(new Comparison(1.004, 1.001, 1.008, 99, 0.99).verdict())
        .isEqualTo("no difference found");
    assertThat(new Comparison(1.1, 1.02, 1.2, 99, 0.99).verdict()).isEqualTo("better");
    assertThat(new Comparison(0.9, 0.8, 0.98, 99, 0.99).verdict()).isEqualTo("worse");
  }

  @Test
  void eachGroupHasASliceOfEachVariantInRandomOrder() throws IOException {
    List<String> order = new ArrayList<>();
    Map<String, List<Integer>> measured =
        Interleaved.slices(
            List.of("a", "b"),
            50,
            7,
            (variant, group) -> {
              order.add(variant);
              return group;
            });

    List<Integer> groups = IntStream.range(0, 50).boxed().toList();
    assertThat(measured).containsExactly(Map.entry("a", groups), Map.entry("b", groups));
    long aFirst = IntStream.range(0, 50).filter(i -> order.get(2 * i).equals("a")).count();
    assertThat(aFirst).isBetween(10L, 40L);
  }
}
