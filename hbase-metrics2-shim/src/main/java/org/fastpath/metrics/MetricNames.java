package org.fastpath.metrics;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The rules for names, checked when something is registered and never later. */
final class MetricNames {
  private static final Pattern CAMEL_CASE = Pattern.compile("[a-z][a-z0-9]*([A-Z][a-z0-9]*)*");
  private static final Pattern SOURCE = Pattern.compile("[A-Z][a-z0-9]*([A-Z][a-z0-9]*)*");
  private static final String SUFFIXES =
      Arrays.stream(Unit.values()).map(Unit::suffix).collect(Collectors.joining(", "));

  private MetricNames() {}

  /** Why this is no name for a counter or gauge, or null. */
  static String wrongMetric(String name) {
    if (wrongWord(name) != null) {
      return wrongWord(name);
    }
    for (Unit unit : Unit.values()) {
      if (name.endsWith(unit.suffix())) {
        return null;
      }
    }
    return "its name does not end with its unit: " + SUFFIXES + " are";
  }

  /** Why this is no name for a histogram, a text or a tag, or null. */
  static String wrongWord(String name) {
    return name != null && CAMEL_CASE.matcher(name).matches()
        ? null
        : "its name is not in camel case (verifiedBytes)";
  }

  /** Why this is no name for a source, or null. */
  static String wrongSource(String name) {
    return name != null && SOURCE.matcher(name).matches()
        ? null
        : "its name is not in camel case with a capital first (BlockCache)";
  }
}
