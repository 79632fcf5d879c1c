package org.fastpath.bench.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PromQlTest {
  private static List<String> selectors(String expression) {
    return PromQl.parse(expression).selectors().stream().map(Selector::toString).toList();
  }

  @Test
  void everySelectorIsFound() {
    String expression =
        "topk(5, sum by (table, region) (rate(a{t=~\"x|y\",}[5m]) + rate({__name__=\"b\"}[1m:15s])))"
            + " / on (table) group_left sum(max_over_time(c[1h] offset 1d)) > bool -1.5e3 or d";

    assertThat(selectors(expression))
        .containsExactly(
            "{__name__=\"a\",t=~\"x|y\"}",
            "{__name__=\"b\"}",
            "{__name__=\"c\"}",
            "{__name__=\"d\"}");
    assertThat(PromQl.parse(expression).groupings()).containsExactlyInAnyOrder("table", "region");
  }

  @Test
  void aGroupingMayStandBehind() {
    assertThat(PromQl.parse("sum(a) by (job)").groupings()).containsExactly("job");
  }

  @Test
  void stringsAreUnquoted() {
    assertThat(selectors("a{b='c\"d', e=\"f\\\\.g\"}"))
        .containsExactly("{__name__=\"a\",b=\"c\"d\",e=\"f\\.g\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "sum(rate(a[1m]); has \"the end\" where \")\" should be",
        "sum(a)); does not end before \")\"",
        "sum by (b (a); lacks a comma or parenthesis",
        "sum by b (a); where \"(\" should be",
        "rate(a); gives rate no range",
        "abs(a[1m]); gives abs a range",
        "a[1m]; is a range",
        "a[1m] + b; operator on a range",
        "rate(a[m]); where a duration should be",
        "rat(a[1m]); calls rat, which is no function",
        "a{b=c}; has a matcher of b",
        "a{b=\"c\" d=\"e\"}; lacks a comma or brace",
        "a +; ends too soon",
        "a $b; cannot be read from",
      })
  void mistakesAreNamed(String expression, String message) {
    assertThatThrownBy(() -> PromQl.parse(expression))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message)
        .hasMessageContaining(expression);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a{b=\"1\"} 2", "a 2.5e3", "a{} -1", "a{b=\"\",c=\"x, y\"} NaN 17"})
  void samplesOfTheTextFormat(String line) {
    assertThat(Exposition.parse("# TYPE a counter\n\n" + line + "\n"))
        .singleElement()
        .extracting(Series::name)
        .isEqualTo("a");
  }

  @Test
  void labelsOfASample() {
    assertThat(Exposition.parse("a{b=\"1\",c=\"x,y\"} 2").get(0).labels())
        .containsOnly(Map.entry("b", "1"), Map.entry("c", "x,y"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a{b=1} 2", "a{b=\"1\"}", "a b", "1a 2", "a{b=\"c\"d\"} 1"})
  void whatIsNoSample(String line) {
    assertThatThrownBy(() -> Exposition.parse(line)).isInstanceOf(IllegalArgumentException.class);
  }
}
