package org.fastpath.bench.docs;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What an expression asks the store for: {@code name{label="value"}}.
 *
 * @param matchers all conditions, that on the name among them
 */
record Selector(List<LabelMatcher> matchers) {
  /** The series that meet all conditions. */
  List<Series> select(List<Series> series) {
    return series.stream().filter(this::matches).toList();
  }

  private boolean matches(Series series) {
    return matchers.stream().allMatch(matcher -> matcher.matches(series));
  }

  @Override
  public String toString() {
    return matchers.stream().map(LabelMatcher::toString).collect(Collectors.joining(",", "{", "}"));
  }
}
