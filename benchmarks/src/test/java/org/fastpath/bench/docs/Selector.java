package org.fastpath.bench.docs;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A selector of an expression: {@code name{label="value"}}.
 *
 * @param matchers all conditions, including the one on the name
 */
record Selector(List<LabelMatcher> matchers) {
  /** Returns the series that meet all conditions. */
  List<Series> select(List<Series> series) {
    Predicate<Series> all =
        matchers.stream().map(LabelMatcher::condition).reduce(one -> true, Predicate::and);
    return series.stream().filter(all).toList();
  }

  @Override
  public String toString() {
    return matchers.stream().map(LabelMatcher::toString).collect(Collectors.joining(",", "{", "}"));
  }
}
