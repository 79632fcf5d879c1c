package org.fastpath.bench.docs;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What an expression asks the store for: {@code name{label="value"}}.
 *
 * @param matchers all conditions, that on the name among them
 */
record Selector(List<LabelMatcher> matchers) {
  /** The series that meet all conditions. */
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
