package org.fastpath.bench.engine.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {
  private static Measurement measured(String unit, double... rounds) {
    List<List<Double>> values = DoubleStream.of(rounds).mapToObj(List::of).toList();
    return new Measurement("name", Map.of(), "side", unit, Measurement.Better.of(unit), values);
  }

  private static Comparison ofRatios(double... ratios) {
    double[] ones = DoubleStream.generate(() -> 1).limit(ratios.length).toArray();
    return Comparison.of(ones, ratios, Measurement.Better.HIGHER);
  }

  @Test
  void ratioIsTakenInsideEachRound() {
    // The machine is three times slower in the second round, for both variants.
    Comparison comparison =
        Comparison.of(measured("ns/op", 20, 60, 20), measured("ns/op", 10, 30, 10));

    assertThat(comparison.ratio()).isEqualTo(2);
    assertThat(comparison.low()).isEqualTo(2);
    assertThat(comparison.high()).isEqualTo(2);
  }

  @Test
  void candidateIsBetterWhenItsTimeIsLowerOrItsRateHigher() {
    assertThat(Comparison.of(measured("s", 10), measured("s", 5)).ratio()).isEqualTo(2);
    assertThat(Comparison.of(measured("rows/s", 5), measured("rows/s", 10)).ratio()).isEqualTo(2);
  }

  @Test
  void intervalOfFewRoundsIsTheWholeRange() {
    Comparison comparison = ofRatios(1.2, 0.9, 1.5, 1.1, 1.0);

    assertThat(comparison.ratio()).isEqualTo(1.1);
    assertThat(comparison.low()).isEqualTo(0.9);
    assertThat(comparison.high()).isEqualTo(1.5);
    assertThat(comparison.coverage()).isCloseTo(0.9375, within(1e-12));
    assertThat(comparison.verdict()).isEqualTo("no difference found");
  }

  @Test
  void intervalOfManyRoundsIsNarrowerThanTheirRange() {
    Comparison comparison = ofRatios(9, 1, 2, 3, 4, 5, 6, 7, 8);

    assertThat(comparison.low()).isGreaterThan(1);
    assertThat(comparison.high()).isLessThan(9);
    assertThat(comparison.coverage()).isEqualTo(0.99);
  }

  @ParameterizedTest
  @CsvSource({"1,0", "2,0.5", "3,0.75", "5,0.9375", "7,0.984375"})
  void coverageOfFewRoundsIsThatOfTheSignTest(int rounds, double coverage) {
    assertThat(ofRatios(new double[rounds]).coverage()).isCloseTo(coverage, within(1e-12));
  }

  @Test
  void intervalHoldsTheMedianAsOftenAsItSays() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int trials = 20_000;
    int held = 0;
    for (int i = 0; i < trials; i++) {
      // The ratios are skewed like those of times; the median of exp(gaussian) is 1.
      double[] ratios = random.doubles(5).map(any -> Math.exp(random.nextGaussian())).toArray();
      Comparison comparison = ofRatios(ratios);
      held += comparison.low() <= 1 && 1 <= comparison.high() ? 1 : 0;
    }
    assertThat((double) held / trials).as("seed %d", seed).isCloseTo(0.9375, within(0.012));
  }

  private static Measurement once(String param, String how, double... values) {
    Measurement measured = measured("s", values);
    return new Measurement(
        measured.name(),
        Map.of(param, how),
        measured.variant(),
        measured.unit(),
        measured.better(),
        measured.rounds());
  }

  @Test
  void whatHappenedOnceHasAWiderInterval() {
    Comparison counted =
        Comparison.of(once(Measurement.COUNTED, "once", 11), once(Measurement.COUNTED, "once", 10));
    assertThat(counted.low()).isCloseTo(1, within(1e-9));
    assertThat(counted.high()).isCloseTo(1.21, within(1e-9));
    assertThat(counted.coverage()).isEqualTo(1);

    double[] slow = {12, 12, 12, 12, 12};
    double[] fast = {10, 10, 10, 10, 10};
    assertThat(verdict("once", slow, fast)).isEqualTo("better");
    assertThat(verdict("just now", slow, fast)).isEqualTo("no difference found");
    double[] lucky = {11.5, 11.5, 11.5, 11.5, 11.5};
    assertThat(verdict("once", slow, lucky)).isEqualTo("no difference found");
    assertThat(verdict("once", lucky, slow)).isEqualTo("no difference found");
    assertThat(Comparison.of(measured("s", slow), measured("s", lucky)).verdict())
        .isEqualTo("better");
  }

  private static String verdict(String start, double[] base, double[] candidate) {
    return Comparison.of(
            once(Measurement.START, start, base), once(Measurement.START, start, candidate))
        .verdict();
  }

  @Test
  void nothingAgainstNothingIsEven() {
    assertThat(Comparison.of(measured("B/op", 0), measured("B/op", 0)).ratio()).isEqualTo(1);
  }

  @Test
  void roundsThatOneVariantLacksAreLeftOut() {
    assertThat(Comparison.of(measured("s", 4, 6, 100), measured("s", 2, 3)).rounds()).isEqualTo(2);
  }

  @Test
  void unitsMustAgree() {
    assertThatThrownBy(() -> Comparison.of(measured("s", 1), measured("ns/op", 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ns/op");
  }
}
