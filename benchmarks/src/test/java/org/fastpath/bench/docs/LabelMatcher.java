package org.fastpath.bench.docs;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * One condition of a selector: {@code table=~"a|b"}.
 *
 * @param label which label; {@link #NAME} for the metric's name
 * @param operator {@code =}, {@code !=}, {@code =~} or {@code !~}
 */
record LabelMatcher(String label, String operator, String value) {
  static final String NAME = "__name__";

  boolean matches(Series series) {
    String actual = series.label(label);
    Predicate<String> regex = Pattern.compile(value).asMatchPredicate();
    return switch (operator) {
      case "=" -> actual.equals(value);
      case "!=" -> !actual.equals(value);
      case "=~" -> regex.test(actual);
      case "!~" -> !regex.test(actual);
      default -> throw new IllegalArgumentException("no operator of a matcher: " + operator);
    };
  }

  @Override
  public String toString() {
    return label + operator + '"' + value + '"';
  }
}
