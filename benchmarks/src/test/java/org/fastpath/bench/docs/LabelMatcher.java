package org.fastpath.bench.docs;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * One condition of a selector: {@code table=~"a|b"}.
 *
 * @param label the label; {@link #NAME} for the metric's name
 * @param operator {@code =}, {@code !=}, {@code =~} or {@code !~}
 */
record LabelMatcher(String label, String operator, String value) {
  static final String NAME = "__name__";

  /** Returns the condition on a series. */
  Predicate<Series> condition() {
    Predicate<String> test =
        operator.endsWith("~") ? Pattern.compile(value).asMatchPredicate() : value::equals;
    return switch (operator) {
      case "=", "=~" -> series -> test.test(series.label(label));
      case "!=", "!~" -> series -> !test.test(series.label(label));
      default -> throw new IllegalArgumentException("no operator of a matcher: " + operator);
    };
  }

  @Override
  public String toString() {
    return label + operator + '"' + value + '"';
  }
}
